"""One run of ``socrates amplify``: from the settings to the results of every test."""
