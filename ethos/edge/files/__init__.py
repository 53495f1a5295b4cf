"""The disk: folders and files that are durable and the owner's alone, locks, keys, backups."""
