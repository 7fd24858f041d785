"""H1 to H5 of RULES, one by one; H6 to H8 are in test_post_seats.py."""

from __future__ import annotations

from post.helpers import HOUR, START, at_position, check_replay, kinds, one, opened, play_round, refused, submit_lowest

import nimmt
from nimmt import IllegalMove, WrongPhase
from nimmt.stream import Stream

DAY = 24 * HOUR


# H1


def test_hands_are_told_in_private() -> None:
    dealer = opened(3)
    (start,) = [step for step in dealer.steps if step.entry["call"] == "start"]
    assert kinds(list(start.messages)) == [("all", "table"), (0, "hand"), (1, "hand"), (2, "hand")]
    for message in start.messages[1:]:
        assert message.fields["hand"] == list(dealer.game().hand(int(message.to)))
        assert "Your hand: " + " ".join(map(str, message.fields["hand"])) in message.body


def test_nobody_else_sees_a_choice() -> None:
    dealer = opened(3)
    card = dealer.game().hand(0)[4]
    messages = dealer.submit(0, card, row=2, now=START)
    assert kinds(messages) == [(0, "received"), ("dealer", "progress")]
    assert "card" not in messages[1].fields and messages[1].fields["missing"] == [1, 2]


# H2


def test_first_card_has_72_hours_and_later_ones_48() -> None:
    dealer = opened(3)
    assert dealer.due == (START + 72 * HOUR,) * 3
    submit_lowest(dealer, range(3), START + 5)
    assert dealer.due == (START + 5 + 48 * HOUR,) * 3


def test_first_card_of_one_who_joins_late() -> None:
    dealer = opened(2)
    play_round(dealer, START + 5)
    dealer.join(now=START + 10)
    dealer.next_round(now=START + 20)
    assert dealer.due == (START + 20 + 48 * HOUR,) * 2 + (START + 20 + 72 * HOUR,)


def test_other_deadlines_for_a_game() -> None:
    dealer = opened(2, first=60, later=30)
    assert dealer.due == (START + 60,) * 2
    submit_lowest(dealer, range(2), START)
    assert dealer.due == (START + 30,) * 2


def test_manual_tells_the_dealer_once_and_plays_nothing() -> None:
    dealer = opened(3)
    submit_lowest(dealer, [1], START)
    late = START + 72 * HOUR + 1
    (message,) = dealer.tick(late)
    assert (message.to, message.kind, message.fields["seats"]) == ("dealer", "late", [0, 2])
    assert dealer.tick(late) == dealer.tick(late + 90 * DAY) == []
    assert dealer.waiting == dealer.late(late) == (0, 2)
    submit_lowest(dealer, [0], late + 5)  # The dealer has not acted: the card counts.
    dealer.play_for(2, now=late + 6)
    assert dealer.game().turn == 2
    check_replay(dealer)


def test_automatic_acts_by_itself_at_the_deadline() -> None:
    dealer = opened(3, automatic=True)
    submit_lowest(dealer, [1], START)
    messages = dealer.tick(START + 72 * HOUR + 1)
    assert kinds(messages) == [("all", "played_for"), (0, "drawn"), (2, "drawn"), ("all", "reveal")]
    assert messages[0].fields["seats"] == messages[3].fields["random"] == [0, 2]
    # The next turn began at the deadline, whenever tick was called.
    assert dealer.due == (START + 72 * HOUR + 48 * HOUR,) * 3
    check_replay(dealer)


# H3


def test_a_missed_card_is_drawn_from_its_own_stream() -> None:
    dealer = opened(4, seed=99, game=3, automatic=True, rules=nimmt.Rules(limit=500))
    for number in range(2):
        stream = Stream(99, 3, number, 2)
        for _ in range(10):
            hands = [dealer.game().hand(seat) for seat in range(4)]
            expected = [hand[stream.below(len(hand))] for hand in hands]
            dealer.tick((dealer.due[0] or 0) + 1)
            assert [["random", seat, card] for seat, card in enumerate(expected)] == [
                item for item in dealer.log[-1]["done"] if item[0] == "random"
            ]
        dealer.next_round(now=dealer.clock)
    check_replay(dealer)


def test_every_card_of_the_hand_is_drawn_equally_often() -> None:
    counts = [0] * 10
    for game in range(3000):
        dealer = opened(2, seed=1, game=game)
        hand = dealer.game().hand(1)
        dealer.play_for(1, now=START + 73 * HOUR)
        counts[hand.index(dealer.log[-1]["done"][0][2])] += 1
    # 99.999 % of chi-square with 9 degrees of freedom.
    assert sum((count - 300) ** 2 / 300 for count in counts) < 41


def test_a_drawn_card_stays() -> None:
    dealer = opened(2)
    late = START + 73 * HOUR
    dealer.play_for(0, now=late)
    assert "H3" in refused(dealer, IllegalMove, dealer.submit, 0, dealer.game().hand(0)[0], now=late)
    assert "H3" in refused(dealer, IllegalMove, dealer.withdraw, 0, now=late)


# H4: the cases are in test_post_cases.py

LOW = [[20, 21], [30], [40], [50]]


def test_base_asks_nobody_unless_told() -> None:
    dealer = at_position(LOW, [[5], [60]])
    dealer.submit(0, 5, now=START)
    placed = one(dealer.submit(1, 60, now=START), "reveal").fields["placed"][0]
    assert (placed["row"], placed["how"]) == (1, "cheapest")  # A1: 4, 3, 3 and 3 heads
    assert dealer.phase == "scored"


def test_professional_asks_who_has_sent_nothing() -> None:
    dealer = at_position([[48], [52], [80], [90]], [[50, 99], [60, 98]], nimmt.PROFESSIONAL)
    dealer.submit(0, 50, now=START)
    messages = dealer.submit(1, 60, now=START + 7)
    assert kinds(messages)[2:] == [("all", "reveal"), (0, "your_row")]
    assert dealer.due == (START + 7 + 48 * HOUR, None)
    assert "not asked" in refused(dealer, IllegalMove, dealer.choose_row, 1, 0, now=START + 8)
    assert "P4" in refused(dealer, IllegalMove, dealer.choose_row, 0, 3, now=START + 8)
    refused(dealer, WrongPhase, dealer.submit, 1, 98, now=START + 8)
    placed = one(dealer.choose_row(0, 1, now=START + 9), "placed")
    assert [step["how"] for step in placed.fields["placed"]] == ["asked", None]
    assert list(dealer.due) == [START + 9 + 48 * HOUR] * 2
    check_replay(dealer)


def test_a_late_row_is_decided_by_the_dealer() -> None:
    dealer = at_position([[48], [52], [80], [90]], [[50, 99], [60, 98]], nimmt.PROFESSIONAL)
    dealer.submit(0, 50, now=START)
    dealer.submit(1, 60, now=START)
    assert one(dealer.tick(START + 48 * HOUR + 1), "late").fields["phase"] == "take"
    messages = dealer.play_for(0, now=START + 49 * HOUR)
    assert kinds(messages) == [("all", "played_for"), ("all", "placed")]
    check_replay(dealer)


def test_who_asks_for_the_cheapest_row_when_asked() -> None:
    dealer = at_position([[48], [52], [80], [90]], [[50], [60]], nimmt.PROFESSIONAL)
    dealer.submit(0, 50, now=START)
    dealer.submit(1, 60, now=START)
    placed = one(dealer.choose_row(0, "cheapest", now=START), "placed").fields["placed"][0]
    assert (placed["row"], placed["side"], placed["how"]) == (0, "right", "cheapest")  # A2: equal, so the right one


# H5


def test_a_choice_is_replaced_until_all_have_chosen() -> None:
    dealer = opened(2)
    hand = dealer.game().hand(0)
    dealer.submit(0, hand[0], row=1, now=START)
    dealer.submit(0, hand[3], now=START)
    assert dealer.view(0).chosen == hand[3] and hand[0] in dealer.view(0).hand
    submit_lowest(dealer, [1], START)
    assert dealer.log[-1]["done"][0][1] == hand[3]
    assert "late repeat" in refused(dealer, WrongPhase, dealer.submit, 0, hand[3], now=START)


def test_withdrawing() -> None:
    dealer = opened(2)
    hand = dealer.game().hand(0)
    refused(dealer, IllegalMove, dealer.withdraw, 0, now=START)
    dealer.submit(0, hand[0], now=START)
    assert kinds(dealer.withdraw(0, now=START)) == [(0, "withdrawn"), ("dealer", "progress")]
    assert dealer.waiting == (0, 1) and dealer.game().hand(0) == hand
    dealer.submit(0, hand[1], now=START)
    assert "H8" in refused(dealer, WrongPhase, dealer.withdraw, 0, now=START + 73 * HOUR)
