"""Ready tabs about rooms, help and offers."""

from app.web.graphiql.tab import Tab

MY_ROOMS = Tab(
    title="My rooms",
    about="""
        The messages of a room and how many you have
        not read. All members see the same order.
    """,
    query="""
        query MyRooms {
          rooms {
            items {
              id
              name
              unreadCount
              messages(limit: 5) {
                items {
                  number
                  text
                  createdAt
                  user {
                    displayName
                  }
                }
                nextToken
              }
            }
          }
        }
    """,
)

SEND_A_MESSAGE = Tab(
    title="Send a message",
    about="""
        With an idempotencyKey you may send it again
        after a lost connection: it is stored once.
    """,
    query="""
        mutation SendAMessage($input: SendMessageInput!) {
          sendMessage(input: $input) {
            id
            number
            text
            createdAt
          }
        }
    """,
    variables={"input": {"roomId": "demo-hall", "text": "See you at ten!"}},
)

WHAT_HAS_A_TAG = Tab(
    title="What has a tag",
    about="""
        Public offers and quests, and your own goals
        and tasks, in one list.
    """,
    query="""
        query WhatHasATag($tag: String!) {
          byTag(tag: $tag) {
            items {
              type
              isPublic
              record {
                id
                ... on Offer {
                  title
                  company {
                    name
                  }
                }
              }
            }
          }
          assistThreads {
            items {
              title
              status
              messages {
                items {
                  text
                }
              }
            }
          }
        }
    """,
    variables={"tag": "food"},
)

TABS = (MY_ROOMS, SEND_A_MESSAGE, WHAT_HAS_A_TAG)
