"""Remote calls: what they are, who is called, and the journal in which clients write them down.

Nothing here knows an HTTP library; those are held on to by ``socrates_amplify.probes``.
"""
