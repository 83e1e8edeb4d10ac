"""An invented conversation with its dictionary: what `mnemic demo` reads. Data only."""
