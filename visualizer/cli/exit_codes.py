"""What the commands say to those who started them, beside 0 and click's 2 for what cannot be asked."""

EXIT_FAILED, EXIT_INTERRUPTED = 1, 130
