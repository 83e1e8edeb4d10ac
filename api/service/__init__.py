"""What all network doors share: the tenants' engines, keys and rights, jobs, the record of who did what."""
