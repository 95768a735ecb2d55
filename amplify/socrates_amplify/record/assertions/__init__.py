"""Why a test failed: the statement that did, the replies it read, the errors the test let in."""
