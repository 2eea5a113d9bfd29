"""What plugs into the protocols. Heavy imports happen in here, late."""
