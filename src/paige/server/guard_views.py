"""From the Guard's inside values to what the REST API sends. Secrets in commands are left out."""

from collections.abc import Mapping
from datetime import datetime

from paige.app.application import App
from paige.app.guard_door import Decisions, Filter, GuardDoor, Hits, Overview, RuleBook
from paige.app.guard_hosts import Done, Host, Planned
from paige.app.guard_log import Entry
from paige.app.guard_rules import Explained, Family, Rule, reason_parts
from paige.base.secrets import redact
from paige.server import guard_wire as wire


class GuardViews:
    """The Guard door with answers as they are sent; it reads files, so it is used in a thread."""

    def __init__(self, app: App) -> None:
        self._door = GuardDoor(app)

    def overview(self) -> wire.GuardOverview:
        """Guard at a glance."""
        return overview_of(self._door.overview())

    def decisions(self, asked: wire.GuardDecisionsAsked) -> wire.GuardDecisions:
        """The newest decisions that fit."""
        wanted = Filter(**asked.model_dump(exclude={"limit"}))
        return decisions_of(self._door.decisions(wanted, asked.limit))

    def decision(self, id: str) -> wire.GuardEntry:
        """One decision. Raises: NotFound."""
        return entry_of(self._door.decision(id))

    def rules(self) -> wire.GuardRules:
        """Every rule."""
        return rules_of(self._door.rules())

    def explain(self, asked: wire.GuardExplain) -> wire.GuardExplained:
        """The judgement on a command. Raises: BadInput."""
        return explained_of(self._door.explain(asked.command, asked.cwd))

    def hosts(self) -> wire.GuardHosts:
        """The coding CLIs."""
        hosts = self._door.hosts
        return hosts_of(hosts.all(), self._door.overview().clis, hosts.project)

    def plan(self, cli: wire.Cli, asked: wire.GuardPlanAsked) -> wire.GuardPlan:
        """What an installation would change."""
        return plan_of(self._door.hosts.plan(cli, asked.action, asked.level))

    def carry_out(self, cli: wire.Cli, asked: wire.GuardCarryOut) -> wire.GuardDone:
        """An installation, as it was planned. Raises: Conflict."""
        done = self._door.hosts.carry_out(cli, asked.action, asked.level, asked.digest)
        return done_of(done)


def entry_of(entry: Entry) -> wire.GuardEntry:
    """One decision."""
    reason, instead = reason_parts(entry.reason)
    return wire.GuardEntry(
        id=entry.id,
        at=entry.at,
        cli=entry.cli,
        session=entry.session,
        event=entry.event,
        host_event=entry.host_event,
        decision=entry.decision,
        verdict=entry.verdict,
        rule=entry.rule,
        reason=redact(reason),
        instead=instead,
        tool=entry.tool,
        subject=redact(entry.subject),
        is_command=entry.is_command,
        cwd=entry.cwd,
        mode=entry.mode,
        agent=entry.agent,
    )


def decisions_of(found: Decisions) -> wire.GuardDecisions:
    """A list of decisions."""
    return wire.GuardDecisions(
        decisions=[entry_of(each) for each in found.entries], total=found.total
    )


def overview_of(found: Overview) -> wire.GuardOverview:
    """Guard at a glance."""
    return wire.GuardOverview(
        counts=wire.GuardCounts(**found.counts),
        days=[
            wire.GuardDay(day=each.day, counts=wire.GuardCounts(**each.counts))
            for each in found.days
        ],
        sessions=[wire.GuardSession.model_validate(each) for each in found.sessions],
        clis=dict(found.clis),
        events=list(found.events),
        rules=list(found.rules),
        folder=found.folder,
        complete=found.complete,
    )


def rules_of(book: RuleBook) -> wire.GuardRules:
    """Every rule."""
    return wire.GuardRules(
        families=[_family(each, book.hits) for each in book.families],
        gates=[
            wire.GuardGate(name=each.name, about=each.about, events=list(each.events))
            for each in book.gates
        ],
        others=[_hits(each) for each in book.others],
        problems=[wire.GuardProblem.model_validate(each) for each in book.problems],
    )


def explained_of(found: Explained) -> wire.GuardExplained:
    """The judgement on a command."""
    return wire.GuardExplained(
        decision=found.decision,  # type: ignore[arg-type]  # the judge knows these three
        rule=found.rule,
        reason=found.reason,
        instead=found.instead,
        clear=found.clear,
        unclear=found.unclear,
        cwd=found.place.cwd,
        root=found.place.root,
        steps=[
            wire.GuardStep(
                words=list(each.words),
                decision=each.decision,  # type: ignore[arg-type]
                rule=each.rule,
                reason=reason_parts(each.reason)[0],
                instead=reason_parts(each.reason)[1],
                family=each.family,
                considered=each.considered,
            )
            for each in found.steps
        ],
    )


def hosts_of(
    found: list[Host], heard: Mapping[str, datetime], project: str | None
) -> wire.GuardHosts:
    """The coding CLIs, each with when it was last heard of."""
    return wire.GuardHosts(
        hosts=[
            wire.GuardHost(
                cli=each.cli,  # type: ignore[arg-type]  # one of the manifests
                title=each.title,
                found=each.found,
                version=each.version,
                levels=list(each.levels),
                checks=[wire.Check.model_validate(check) for check in each.checks],
                last=heard.get(each.cli),
            )
            for each in found
        ],
        project=project,
    )


def plan_of(plan: Planned) -> wire.GuardPlan:
    """What an installation would change."""
    return wire.GuardPlan(
        cli=plan.cli,  # type: ignore[arg-type]
        action=plan.action,
        level=plan.level,
        digest=plan.digest,
        changes=[
            wire.GuardFileChange(path=str(each.path), kind=each.kind, diff=redact(each.diff))
            for each in plan.changes
        ],
        notes=list(plan.notes),
    )


def done_of(done: Done) -> wire.GuardDone:
    """What an installation changed."""
    return wire.GuardDone(
        cli=done.cli,  # type: ignore[arg-type]
        action=done.action,
        level=done.level,
        paths=[str(each) for each in done.paths],
        notes=list(done.notes),
    )


def _family(family: Family, hits: Mapping[str, Hits]) -> wire.GuardFamily:
    rules = [_rule(each, hits) for each in family.rules]
    return wire.GuardFamily(
        name=family.name,
        about=family.about,
        commands=list(family.commands),
        path=str(family.path),
        layer=family.layer,
        count=sum(each.hits.count for each in rules),
        rules=rules,
    )


def _rule(rule: Rule, hits: Mapping[str, Hits]) -> wire.GuardRule:
    found = hits.get(rule.name)
    return wire.GuardRule(
        name=rule.name,
        decision=rule.decision,  # type: ignore[arg-type]  # compiled rules have one of these
        loses=rule.loses,
        instead=rule.instead,
        must=list(rule.must),
        must_not=list(rule.must_not),
        hits=_hits(found)
        if found
        else wire.GuardHits(rule=rule.name, count=0, denied=0, last=None, reason=""),
    )


def _hits(found: Hits) -> wire.GuardHits:
    made = wire.GuardHits.model_validate(found)
    return made.model_copy(update={"reason": redact(reason_parts(found.reason)[0])})
