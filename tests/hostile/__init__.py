"""Programs that mean harm, each a folder as an author would upload it, and what must become of them."""
