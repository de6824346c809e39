"""Ready tabs about rooms, help and offers."""

from app.web.graphiql.tab import NEW_ID, Tab

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
        Opens a room and writes into it. With an
        idempotencyKey you may send it again after a
        lost connection: it is stored once.
    """,
    query="""
        mutation SendAMessage(
          $room: CreateRoomInput!
          $message: SendMessageInput!
        ) {
          createRoom(input: $room) {
            name
          }
          sendMessage(input: $message) {
            id
            number
            text
            createdAt
          }
        }
    """,
    variables={
        "room": {"id": f"room-{NEW_ID}", "idempotencyKey": f"room-{NEW_ID}", "name": "Saturday"},
        "message": {
            "roomId": f"room-{NEW_ID}",
            "text": "See you at ten!",
            "idempotencyKey": f"message-{NEW_ID}",
        },
    },
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

TABS = (SEND_A_MESSAGE, MY_ROOMS, WHAT_HAS_A_TAG)
