"""Words around a name that tell whether it is a person: verbs, roles, places, things.

Plain sets of folded words; `weighing.py` says what each is worth.
"""

from paige.memory.names.lists import words_of as _words

HONORIFICS = _words("mr mrs ms miss mx dr prof professor mme madame mlle senor senora herr frau")
RANKS = _words(
    "king queen prince princess sir lord lady duke duchess pope president saint st emperor empress "
    "tsar kaiser sultan captain general chancellor mount ben loch lake river port fort prophet "
    "guru imam rabbi"
)
PARTICLES = _words(
    "van von de der den del della di da dos das du la le al el bin binti ibn abu ap ter ten"
)
ROLES = _words(
    "pupil pupils student students boy boys girl girls child children learner learners lad lads "
    "lass kid kids mum mums dad dads mother father parent parents carer carers guardian sister "
    "sisters brother brothers twin twins son daughter cousin cousins friend friends peer partner "
    "classmate sibling siblings granny gran grandad nan auntie aunt uncle family namely surname "
    "aka"
)
CALLED = _words("called named nicknamed name")
SOMEONE = _words("he she they his her my their someone somebody who person teenager arrival")
TO_WHOM = _words(
    "speak talk listen listened told tell tells telling asked ask asks asking helped help helping "
    "praised praise reminded remind seated seat moved move paired pair pairing sent send "
    "encouraged encourage supported support supporting challenged challenge contacted contact "
    "phoned phone emailed email met meet gave give let lets thanked thank warned warn spoke "
    "beside behind opposite allowed partnered excluded sanctioned rewarded reward coached mentor "
    "mentored saw noticed chose picked pick nominate nominated invited invite congratulate "
    "congratulated emailing phoning watch watched sit put puts keep keeps placed seating sits "
    "praising message messaged stopped caught heard partner chosen interviewed tutor tutored goes "
    "went belongs"
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
    "is was has had can will does did could would should might must works worked helps helped made "
    "makes gave takes took started starts shows showed used uses moved won't seems seemed also "
    "still really often always never just needs"
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
    "excluded suspended making improving falling missing pregnant adopted fostered stuck lost "
    "allergic proud first afraid scared fluent fond jealous lonely homesick unwell injured "
    "frightened vegetarian capable hopeless careless careful curious helpful cheerful moody "
    "restless sleepy hungry thirsty embarrassed frustrated motivated unmotivated colour-blind "
    "left-handed unsure busy calm loud noisy keen dyspraxic diabetic epileptic asthmatic "
    "hyperactive selective clumsy sensible mature immature talkative chatty silent withdrawn "
    "settled unsettled thrilled delighted disappointed retired leaving joining moving talented"
)
THEIRS = _words(
    "mum mums dad mother father parent parents carer carers guardian sister brother twin family "
    "gran granny nan cousin friend friends work book jotter behaviour confidence homework "
    "progress answer answers handwriting reading writing spelling laptop seat desk iep plan "
    "anxiety autism dyslexia adhd needs target targets attendance score mark marks report essay "
    "attempt attention effort attitude understanding workbook folder phone bag sister's grades "
    "grade results statement diagnosis speech english literacy participation performance "
    "presentation reaction response situation absence wellbeing health hearing sight home house "
    "group's partner table solution program code project poster learning pair social engagement "
    "concentration group team idea ideas question questions mistake mistakes turn voice hand "
    "hands drawing graph story jacket coat lunch glasses pencil ruler calculator tablet screen "
    "file account password login notes sentence sentences paragraph explanation method working "
    "sums comment comments letter birthday confusion frustration enthusiasm timetable pen shoes "
    "eyes"
)
PRONOUNS = _words("he she him her his hers himself herself")
PLACES = _words(
    "academy school high primary secondary college university street road avenue lane drive park "
    "hall hospital church cathedral institute foundation trust council centre center library award "
    "prize castle bridge station theatre museum stadium square bay island islands hill valley city "
    "town county airport court house gardens building campus nursery grammar arena mountains falls "
    "beach bank ltd plc inc"
)
LAWS = _words(
    "law laws theorem taxonomy cipher equation equations constant principle principles hierarchy "
    "triangle paradox hypothesis syndrome disease theory theories cycle pyramid wager razor rule "
    "effect number numbers zone"
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
    "discussion account feedback conversation assessment bush petal leaf diet test tests half "
    "revision deadline break bank sale sunshine garland drop jar coin tree trees branch number "
    "values lengths points mark marks limit interface"
)
STARTS = _words(
    "the a an this that these those their our my your his her its all each every up out off for it "
    "them we you i there to in on at of from any some more one two three both no not by as with "
    "they he she people pupils students learners everyone"
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
MODALS = _words(
    "ought can could will would should must might shall cannot can't couldn't won't wouldn't "
    "shouldn't mustn't may"
)
HAS = _words("has had hasn't hadn't")
LITTLE = _words("more less well better worse out up off on in at left right all both like set")
PERSONS = _words(
    "pupil student boy girl child learner arrival representative captain member monitor reader "
    "writer leader prefect newcomer refugee twin speaker helper helpers friend cousin teenager lad "
    "lass interpreter assistant colleague teacher technician librarian janitor secretary carer "
    "guardian parent mum dad governor tutor mentor swimmer runner player fan champion candidate "
    "volunteer youngest oldest eldest tallest quickest only"
)
OWNED = _words(
    "laptop tablet scribe reader glasses aid implant allergy allergies asthma diabetes epilepsy "
    "permission trouble difficulty difficulties fear knack talent dyspraxia dyscalculia asn eal "
    "jotter bag pass appointment brother sister job question questions detention support worker "
    "headache tutor accent stammer stutter lisp wheelchair crutches timetable piano violin "
    "swimming football choir dentist orthodontist physio counselling counsellor earphones "
    "headphones hoodie eye panic accident argument seizure meltdown cold flu fever migraine "
    "eyesight nosebleed temper habit hobby grandmother nickname birthday"
)
ABBREVIATIONS = _words(
    "uk us usa eu un bbc pe re it ict pse rmps asn eal ba ma phd bsc id tv pc dvd faq "
    "qa io ok ni gb nhs sqa cfe hmi aob ps nb cv"
)
FAMOUS_FOR = _words(
    "invented discovered ruled reigned conquered composed painted published assassinated crowned "
    "executed born died invaded founded defeated abolished colonised governed sculpted beheaded "
    "exiled directed starred patented"
)
# What is done to people, after `is`, `was` or `be`.
DONE_TO = _words(
    "moved seated given sent excused asked told allowed paired placed chosen picked caught bullied "
    "teased hurt diagnosed referred excluded invited photographed interviewed distracted reminded "
    "warned praised encouraged supported supervised removed disciplined rewarded challenged "
    "separated withdrawn collected absent promoted nominated"
)
OBJECTS = _words(
    "the a an his her their my our your it them him me us everyone everybody nobody someone "
    "himself herself every each this that these those another any no to"
)
WAYS = _words(
    "ahead away off out over around about too so well badly very quite again alone together beside "
    "behind through past back home late early loudly aloud less more without with when because if "
    "while during under"
)
TEAMS = _words(
    "base staff office team department class school library reception kitchen council charity "
    "university club college group academy primary nursery faculty canteen lab agency"
)
# What stands around a pupil and hardly around a month, a country or a virtue.
CLASSROOM = _words(
    "homework jotter jotters blazer kit calculator stylus locker seat desk row club detention "
    "lunch canteen break playground corridor tidy uncle aunt mum dad mother father sister brother "
    "cousin bus chess football netball swimming choir guitar violin teacher me him her himself "
    "herself everyone nobody anyone classmates partner pencil pen ruler schoolbag bag tie shoes "
    "coat hat phone tablet laptop mouse keyboard headphones answer answers question questions "
    "worksheet register snack snacks village birthday hospital doctor nurse group classmate "
    "debate progress anxious rush improvement print effort confidence mistakes booklet marks mark "
    "table quiz line sheet poster hand fingers eyes voice aloud reminding telling prompting "
    "encouragement encouraging reassurance reassuring prompts help support practice praise "
    "attention feedback reminders reminder instructions chasing nagging watching stretching "
    "challenging supervision extension handwriting spelling tears detentions parents band cast "
    "squad orchestra"
)
CROWNS = _words(
    "king queen lord lady sir pope emperor empress saint st sultan tsar kaiser river loch mount "
    "lake port fort isle cape"
)
IN_BOOKS = _words(
    "novel novella chapter character characters protagonist stanza scene balcony sonnet"
)
HANDED = _words(
    "give gave given gives hand handed send sent lend lent show showed pass passed return returned "
    "offer offered read copies copy copied print printed letter note message email homework"
)
SUITS = _words("better well best works worked work suits harder easier")
TOWARDS = _words("for from to at in on with about after into onto against across along")
NOBODY = _words("you he she they we it i me man an")
PLURAL = _words("are were have do need make give take help show can could aren't weren't")
DEFINES = _words("means meant rhymes rhymed")
THINGS_ARE = _words(
    "late new off away ahead behind kind bright popular first lost quiet working making getting "
    "finding doing falling missing improving engaged calm busy loud noisy mature settled happy sad "
    "brilliant sensible selective"
)
TAUGHT_ABOUT = _words(
    "poets authors writers leaders kings queens characters scientists inventors artists composers "
    "figures heroes villains islands cities towns countries rivers capitals planets words themes "
    "examples poems novels sources diaries voices stations stops case enquiries topics festivals "
    "months seasons colours gods saints explorers mathematicians presidents lovers"
)
IN_TOO = _words("hands turns joins logs hand turn join log checks gives fills")
HISTORY = _words(
    "battle battles reign throne empire century treaty invasion castle army armies crown crowned "
    "parliament rebellion uprising hastings bannockburn waterloo culloden flodden agincourt "
    "trafalgar gallipoli"
)
DO_HOW = _words(
    "well better best badly poorly brilliantly her his their nothing little enough most"
)
# What lessons are about: with one of these a verb is a thing's.
CONTENT = _words(
    "capital city cities country countries island islands river rivers month months unit units "
    "topic topics theme themes lesson lessons poem poems chapter stanza map maps photograph photo "
    "colour colours stone gem plant plants flower flowers season seasons holiday holidays term "
    "language languages program programs independence war empire population border borders "
    "climate north south century example examples symbol word words data graph graphs source "
    "sources text texts story stories title context timeline content retrieval curriculum "
    "revision exam exams novel play scene sea hill tree trees oil water garden fields field "
    "harmony winter spring years independent continent volcano earth sun moon picture image film "
    "song course courses project projects routines year government army king queen events event "
    "history religion festival festivals desert europe africa asia trade compiler syntax code "
    "website software app version update emotions emotion society world nature life people "
    "culture soil acid leaf leaves seed seeds root roots stem petals rock rocks mineral metal "
    "density wood seas legend myth stars planet renaissance museum temple bridge castle church "
    "capitals"
)
# What months, seasons and terms do.
OF_TIMES = _words(
    "brings brought starts started ends ended begins began falls fell lasts lasted comes came "
    "passes passed suits suited fits fitted helps helped becomes became leaves left means works "
    "worked seems seemed goes went matters mattered grows grew blooms bloomed spreads covers "
    "covered lies lay borders flowers appears appeared remains remained"
)
SKILLED = _words(
    "good bad better best great brilliant poor hopeless excellent strong weak quick slow"
)
ARRIVES = _words("came comes arrived arrives finished finishes")
