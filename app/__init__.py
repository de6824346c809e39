import os

# Amplify puts its token into the line of the subprotocol. websockets reads its limit when it is
# first imported, and lets a longer line hang without an answer.
os.environ.setdefault("WEBSOCKETS_MAX_LINE_LENGTH", "65536")
