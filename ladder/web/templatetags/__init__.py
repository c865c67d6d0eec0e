"""What templates of the pages need."""
