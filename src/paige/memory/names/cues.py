"""Words around a name that tell whether it is a person: verbs, roles, places, things.

Plain sets of folded words; `names_score.py` says what each is worth.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HONORIFICS = _words("mr mrs ms miss mx dr prof professor mme madame mlle senor senora herr frau")
RANKS = _words(
    "king queen prince princess sir lord lady duke duchess pope president saint st emperor "
    "empress tsar kaiser sultan captain general chancellor mount ben loch lake river port fort "
    "prophet guru imam rabbi"
)
PARTICLES = _words(
    "van von de der den del della di da dos das du la le al el bin binti ibn abu ap ter ten"
)
ROLES = _words(
    "pupil pupils student students boy boys girl girls child children learner learners lad lads "
    "lass kid kids mum mums dad dads mother father parent parents carer carers guardian sister "
    "sisters brother brothers twin twins son daughter cousin cousins friend friends peer partner "
    "classmate sibling siblings granny gran grandad nan auntie aunt uncle family namely surname aka"
)
CALLED = _words("called named nicknamed name")
SOMEONE = _words("he she they his her my their someone somebody who person teenager arrival")
TO_WHOM = _words(
    "told tell tells telling asked ask asks asking helped help helping praised praise reminded "
    "remind seated seat moved move paired pair pairing sent send encouraged encourage supported "
    "support supporting challenged challenge contacted contact phoned phone emailed email met "
    "meet gave give let lets thanked thank warned warn spoke beside behind opposite allowed "
    "partnered excluded sanctioned rewarded reward coached mentor mentored saw noticed "
    "chose picked pick nominate nominated invited invite congratulate congratulated emailing "
    "phoning watch watched sit"
)
WITH = _words("about with for to from by and or like between than")
# Only people do these.
DOES = _words(
    "struggles struggled struggling forgot forgets said says asked asks told tells wants wanted "
    "likes liked loves loved hates hated enjoys enjoyed understands understood knows knew thinks "
    "thought feels felt refused refuses sat sits cried cries laughed shouted shouts whispered "
    "arrived copied answered volunteered attended attends argued fought apologised admitted "
    "complained excelled excels hesitated panicked cheated misbehaved behaves behaved fidgets "
    "fidgeted daydreams giggled smiled swore chatted chats talked talks spoke speaks absent "
    "prefers preferred missed misses can't couldn't won't didn't doesn't hasn't hadn't wouldn't "
    "raised kicked pushed bullied mastered tried tries worries worried joined chose dislikes "
    "managed coped copes learnt learned wrote submitted achieved participated behaving refusing "
    "disrupts disrupted distracts distracted interrupted interrupts presented finds keen wears "
    "claimed promised agreed disagreed guessed replied stormed walked slept yawned"
)
# Things do these as well.
MAY_DO = _words(
    "finished finishes needs needed benefits benefited got gets came went left passed scored lost "
    "keeps kept improved progressed lacks tends tended hit read reads completed responds responded "
    "explained handed cannot isn't wasn't found made broke won failed"
)
MAYBE_DOES = _words(
    "is was has had can will does did could would should might must works worked helps helped "
    "made makes gave takes took started starts shows showed used uses moved won't seems seemed "
    "also still really often always never just needs"
)
ADVERBS = _words(
    "still really often always also never just finally usually sometimes quickly quietly clearly "
    "rarely already then both even soon certainly definitely probably"
)
IS = _words("is was seems seemed isn't wasn't looks looked are were")
KIN = _words("twins family brothers sisters boys girls siblings twin")
IS_LIKE = _words(
    "absent ill sick upset shy quiet anxious dyslexic autistic confident off late tired new away "
    "bored angry happy sad worried nervous excited engaged disengaged distracted disruptive able "
    "ready struggling working finding doing getting talking sitting eligible deaf blind bilingual "
    "exempt refusing behind ahead lazy bright clever gifted brilliant rude kind polite popular "
    "excluded suspended making improving falling missing pregnant adopted fostered stuck lost"
)
THEIRS = _words(
    "mum mums dad mother father parent parents carer carers guardian sister brother twin family "
    "gran granny nan cousin friend friends work book jotter behaviour confidence homework progress "
    "answer answers handwriting reading writing spelling laptop seat desk iep plan anxiety autism "
    "dyslexia adhd needs target targets attendance score mark marks report essay attempt attention "
    "effort attitude understanding work workbook folder phone bag sister's grades grade results "
    "statement diagnosis speech english literacy participation performance presentation reaction "
    "response situation absence wellbeing health hearing sight home house group's partner table "
    "solution program code project poster learning pair social engagement concentration"
)
PRONOUNS = _words("he she him her his hers himself herself")
PLACES = _words(
    "academy school high primary secondary college university street road avenue lane drive park "
    "hall hospital church cathedral institute foundation trust council centre center library "
    "award prize castle bridge station theatre museum stadium square bay island islands hill "
    "valley city town county airport court house gardens building campus nursery grammar arena "
    "mountains falls beach bank ltd plc inc"
)
LAWS = _words(
    "law laws theorem taxonomy cipher equation equations constant principle principles hierarchy "
    "triangle paradox hypothesis syndrome disease theory theories cycle pyramid wager razor "
    "rule effect number numbers zone"
)
MODELS = _words(
    "model diagram diagrams method notes algorithm scale test curve chart map code machine process "
    "reaction number series fit square squares burner experiment distribution transform sort coil"
)
THINGS = _words(
    "plug plugs socket lead cable length value score size width height speed heart window garden "
    "period term exam exams holiday holidays reading school book scheme code program programming "
    "language script developer framework engine gem syntax compiler project file function method "
    "class command variable loop room department teacher exhibition gallery work stick box out "
    "discussion account feedback conversation assessment bush petal leaf diet test tests "
    "half revision deadline break bank sale sunshine garland drop jar coin tree trees branch "
    "number values lengths points mark marks limit interface"
)
STARTS = _words(
    "the a an this that these those their our my your his her its all each every up out off for "
    "it them we you i there to in on at of from any some more one two three both no not by as "
    "with they he she people pupils students learners everyone"
)
IN_TIME = _words(
    "in by during since until till before after of last next early late this every mid each from "
    "through to between for on around past previous following coming end start beginning and or"
)
MONTHS = _words("may april june august autumn summer jan")
IN_PLACE = _words("in at near to from of around across visit visited visiting via through")
GROUPS = _words("team group house table project operation level stage unit room clan form set")
TAUGHT = _words(
    "author poet playwright novelist composer artist painter sculptor scientist inventor physicist "
    "chemist biologist mathematician philosopher president politician explorer architect activist "
    "footballer singer astronaut actor actress writer dramatist pioneer engineer economist "
    "programmer researcher psychologist musician rapper gymnast athlete cosmonaut historian "
    "character characters protagonist monarch dictator educator theorist"
)
WORKS = _words(
    "novel novels poem poems play plays painting paintings book books song songs symphony story "
    "stories sonnet text biography works film films clip video quote documentary speech album "
    "lyrics"
)
