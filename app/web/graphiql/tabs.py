"""The ready tabs. A domain adds its own to TABS; a test checks each against the schema.

GraphiQL names a tab after its operation, so the operation's name is what a visitor sees. Lines of
`about` fit the editor of a 1280 pixel window up to 46 characters.
"""

from app.web.graphiql import characters, community, goals, live, plans, tracking
from app.web.graphiql.tab import NEW_ID, NEW_NAME, Tab

WELCOME = Tab(
    title="Welcome to Guildhall",
    about="""
        Press the play button, or Ctrl-Enter.

        Your token is under Headers, below. The book
        on the left explains every type and field;
        Ctrl-Space suggests what may come next.
    """,
    query="""
        query Welcome {
          me {
            id
            nickname
            displayName
            email
            timeZone
          }
        }
    """,
)

SIGN_UP = Tab(
    title="Sign up a second user",
    about="""
        The new user is described in Variables, below.

        Afterwards "Continue as ..." at the top makes
        every tab run as the new user. By hand: paste
        the accessToken under Headers.
    """,
    query="""
        mutation SignUp($input: SignUpInput!) {
          signUp(input: $input) {
            accessToken
            expiresAt
            user {
              id
              nickname
            }
          }
        }
    """,
    variables={
        "input": {
            "email": f"{NEW_NAME}@example.com",
            "nickname": NEW_NAME,
            "password": "correct horse battery staple",
            "fullName": "Ada Lovelace",
            "displayName": "Ada",
            "timeZone": "Europe/London",
        }
    },
)

SIGN_IN = Tab(
    title="Sign in",
    about="""
        For someone who has signed up before, here
        the demo user.

        The accessToken goes into the Authorization
        header until expiresAt; then refreshSession
        gives a new one for the refreshToken.
    """,
    query="""
        mutation SignIn($input: SignInInput!) {
          signIn(input: $input) {
            accessToken
            refreshToken
            expiresAt
            user {
              nickname
            }
          }
        }
    """,
    variables={"input": {"email": "demo@guildhall.example", "password": "guildhall-demo"}},
)

UPDATE_MY_PROFILE = Tab(
    title="Update my profile",
    about="""
        Only what you send changes; null clears.

        Two devices may write at once: send the
        version you have read as expectedVersion, and
        a change of stale data is refused (CONFLICT).
    """,
    query="""
        mutation UpdateMyProfile($input: UpdateProfileInput!) {
          updateProfile(input: $input) {
            displayName
            bio
            version
          }
        }
    """,
    variables={
        "input": {
            "bio": "Collects quests, finishes some.",
            "preferences": {"theme": "dark"},
        }
    },
)

TIMELINE = Tab(
    title="Timeline",
    about="""
        All your records by date, of every type.

        A page holds up to 100 items; send nextToken
        back to read the next page.
    """,
    query="""
        query Timeline($limit: Int, $nextToken: String) {
          timeline(limit: $limit, nextToken: $nextToken) {
            items {
              __typename
              id
              createdAt
            }
            nextToken
          }
        }
    """,
    variables={"limit": 10},
)

FIND_PEOPLE = Tab(
    title="Find people",
    about="""
        A public profile by nickname, in any letter
        case; null if no one has that nickname.
    """,
    query="""
        query FindPeople($nickname: String!) {
          userByNickname(nickname: $nickname) {
            id
            nickname
            displayName
          }
        }
    """,
    variables={"nickname": "demo"},
)

OPEN_QUESTS = Tab(
    title="Open quests",
    about="""
        What others offer, newest first. Everyone
        may read it; tag and categoryId narrow it.
    """,
    query="""
        query OpenQuests($status: QuestStatus, $tag: String) {
          quests(status: $status, tag: $tag, limit: 10) {
            items {
              id
              title
              rewardXp
              rewardReputation
              maxPerformers
              creator {
                nickname
              }
            }
            nextToken
          }
        }
    """,
    variables={"status": "OPEN"},
)

OFFER_A_QUEST = Tab(
    title="Offer a quest",
    about="""
        Others find it among the open quests and
        claim it. You attest what they submit, which
        pays the reward, once.
    """,
    query="""
        mutation OfferAQuest($input: CreateQuestInput!) {
          createQuest(input: $input) {
            id
            title
            status
            rewardXp
            checklist {
              text
              done
            }
          }
        }
    """,
    variables={
        "input": {
            "id": f"quest-{NEW_ID}",
            "idempotencyKey": f"quest-{NEW_ID}",
            "title": "Proofread my speech",
            "description": "Two pages, before Saturday.",
            "rewardXp": 50,
            "rewardReputation": 2,
            "tags": ["writing"],
            "requirements": ["Mark what is unclear"],
        }
    },
)

MY_QUESTS = Tab(
    title="My quests",
    about="""
        Those you offer and those you perform.
        claimQuest takes an id of OpenQuests,
        attestQuest one of those you offer.
    """,
    query="""
        query MyQuests {
          me {
            stats {
              experiencePoints
              reputation
              level
              levelProgress {
                remaining
                share
              }
            }
            createdQuests {
              items {
                id
                title
                status
                submission
                performer {
                  nickname
                }
              }
            }
            performedQuests {
              items {
                id
                title
                status
              }
            }
          }
        }
    """,
)

TABS: tuple[Tab, ...] = (
    WELCOME,
    SIGN_UP,
    SIGN_IN,
    UPDATE_MY_PROFILE,
    FIND_PEOPLE,
    *goals.TABS,
    *tracking.TABS,
    *plans.TABS,
    OPEN_QUESTS,
    OFFER_A_QUEST,
    MY_QUESTS,
    *characters.TABS,
    *community.TABS,
    TIMELINE,
    *live.TABS,
)
