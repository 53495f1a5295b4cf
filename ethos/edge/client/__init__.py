"""The client side of the socket."""
