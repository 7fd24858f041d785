"""The picture of a result, by matplotlib: heads of a round by policy, shares of games won by seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..bots import POLICIES
from .summary import Summary, heads_by_policy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: By policy; who sees few colours can tell them apart, too (Okabe and Ito).
COLOURS = dict(zip(POLICIES, ("#0072B2", "#D55E00", "#009E73", "#CC79A7")))
INK, FAINT = "#333333", "#D8D8D8"
LABEL: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "fontsize": 8, "color": INK}
MISSING = "plots need matplotlib: pip install 'nimmt[plot]'"


def draw(summary: Summary, title: str) -> Figure:
    """Return the picture of a summary; `title` says of which games. Uses no display and leaves pyplot alone."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(MISSING) from error
    figure = Figure(figsize=(11, 5), dpi=150, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)  # no display
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    draw_heads(left, summary)
    draw_shares(right, summary)
    played = f"6 nimmt!  {summary.games:,} games, {summary.rounds:,} rounds, {title}"
    figure.suptitle(played, fontsize=11, color=INK, x=0.01, ha="left")
    return figure


def draw_heads(axes: Axes, summary: Summary) -> None:
    """Draw the distribution of the heads of a round, a line for each policy, with its mean."""
    tidy(axes, "bull heads in a round", "share of rounds")
    furthest = 10
    for policy, counts in heads_by_policy(summary).items():
        total = sum(counts)
        if not total:
            continue
        shares = [count / total for count in counts]
        mean = sum(heads * share for heads, share in enumerate(shares))
        furthest = max(furthest, tail(shares, 0.001))
        colour, label = COLOURS[policy], f"{policy}: {mean:.2f} on average"
        edges = [heads - 0.5 for heads in range(len(shares) + 1)]
        axes.stairs(shares, edges, fill=True, color=colour, alpha=0.13)
        axes.stairs(shares, edges, color=colour, linewidth=1.6, label=label)
        axes.axvline(mean, color=colour, linewidth=1, linestyle=(0, (4, 3)))
    axes.set_xlim(-0.5, furthest + 0.5)
    axes.set_ylim(bottom=0)
    percent(axes.yaxis)
    if summary.rounds:
        axes.legend(labelcolor=INK, fontsize=9, framealpha=1, edgecolor="white")
    else:
        axes.annotate("no rounds", (0.5, 0.5), xycoords="axes fraction", ha="center", color=INK)


def tail(shares: list[float], rest: float) -> int:
    """Return the number of heads beyond which at most this share is left."""
    left, heads = 1.0, 0
    while heads < len(shares) - 1 and left > rest:
        left -= shares[heads]
        heads += 1
    return heads


def draw_shares(axes: Axes, summary: Summary) -> None:
    """Draw the share of games won by each seat, with two standard errors to both sides, and the share of equals."""
    tidy(axes, "share of games won; bars are two standard errors", None)
    equal, places = 1 / len(summary.seats), range(len(summary.seats))
    axes.axvline(equal, color=INK, linewidth=1, linestyle=(0, (1, 2)))
    axes.annotate("equal shares", (equal, 1), (0, 3), xycoords=("data", "axes fraction"), **LABEL)
    most = max([equal, *(seat.win_share + 2 * (seat.win_share_error or 0) for seat in summary.seats if seat.win_share)])
    most = min(1.05, 1.2 * most)
    for seat in summary.seats:
        if seat.win_share is None:
            continue
        error = seat.win_share_error or 0
        mark: dict[str, Any] = {"color": COLOURS[seat.policy], "capsize": 4, "markersize": 6, "linewidth": 1.6}
        axes.errorbar(seat.win_share, seat.seat, xerr=2 * error, fmt="o", zorder=3, **mark)
        text = f"{100 * seat.win_share:.2f} % ± {100 * error:.2f}"
        box = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
        beside = {"ha": "left"} if seat.win_share < 0.12 * most else {}  # or it would cover the name of the seat
        axes.annotate(text, (seat.win_share, seat.seat), (0, 7), bbox=box, **LABEL | beside)
    axes.set_yticks(places, [f"{seat.seat}  {seat.policy}" for seat in summary.seats])
    axes.set_ylim(len(places) - 0.5, -0.6)
    axes.set_xlim(0, most)
    percent(axes.xaxis)


def tidy(axes: Axes, across: str, up: str | None) -> None:
    """Give both halves of the picture the same quiet look."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(FAINT)
    axes.tick_params(colors=INK, labelsize=9, length=0)
    axes.grid(color=FAINT, linewidth=0.6, alpha=0.7)
    axes.set_axisbelow(True)
    axes.set_xlabel(across, color=INK, fontsize=9)
    if up:
        axes.set_ylabel(up, color=INK, fontsize=9)


def percent(axis: Any) -> None:
    """Show shares as per cent."""
    axis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
