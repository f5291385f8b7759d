"""How the workspace reaches the apps: deliveries, Socket Mode, signed HTTP, and what goes wrong on the way."""
