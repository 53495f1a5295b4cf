"""`ethos service`: print, install, look at and remove the systemd unit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ethos.edge.cli.commands.options import AsJson, Config
from ethos.edge.render import report

service_app = typer.Typer(rich_markup_mode=None)

System = Annotated[bool, typer.Option("--system/--user", help="for the whole machine, or for your account")]
Units = Annotated[
    Literal["daemon", "socket", "timer"],
    typer.Option("--variant", help="a daemon, a daemon behind a systemd socket, or a timer"),
]


@service_app.command("show", short_help="print the systemd units")
def service_show(system: System = False, variant: Units = "daemon", config: Config = None) -> int:
    """Print the systemd units.

    Example: ethos service show --user
    """
    from ethos.edge.ops.systemd import service  # noqa: PLC0415 (for this command alone)

    print(service.show(system=system, config=_whole(config), unit=service.VARIANTS[variant][0], variant=variant), end="")
    return report.DONE


@service_app.command("install", short_help="write the systemd units, and print what to type next")
def service_install(
    system: System = False,
    variant: Units = "daemon",
    force: Annotated[bool, typer.Option("--force", help="replace a unit that was changed by hand")] = False,
    config: Config = None,
) -> int:
    """Write the systemd units to systemd's folder, and print what to type next.

    Example: ethos service install
    """
    from ethos.edge.ops.systemd import service  # noqa: PLC0415 (for this command alone)

    print("\n".join(service.install(system=system, config=_whole(config), variant=variant, force=force)))
    return report.DONE


@service_app.command("status", short_help="show which units are installed and whether they work")
def service_status(system: System = False, as_json: AsJson = False) -> int:
    """Show which units are installed, whether they match this version, and what systemd reports. Exits with 1 if one cannot work.

    Example: ethos service status
    """
    from ethos.edge.ops.systemd import state as units_state  # noqa: PLC0415 (for this command alone)

    found = units_state.units(system=system)
    if as_json:
        print(report.as_json({"units": [unit.data() for unit in found]}))
    else:
        print("\n".join(unit.line for unit in found))
    return report.FAILED if any(unit.fault for unit in found) else report.DONE


@service_app.command("uninstall", short_help="remove the systemd units, and print what to type next")
def service_uninstall(
    system: System = False,
    force: Annotated[bool, typer.Option("--force", help="also remove a unit that was changed by hand")] = False,
) -> int:
    """Remove the systemd units, and print what to type next. The memory stays.

    Example: ethos service uninstall
    """
    from ethos.edge.ops.systemd import service  # noqa: PLC0415 (for this command alone)

    print("\n".join(service.uninstall(system=system, force=force) or ["no unit is installed"]))
    return report.DONE


def _whole(config: Path | None) -> Path | None:
    return None if config is None else config.expanduser().absolute()
