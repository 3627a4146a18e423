"""The names that an agent's file may list under `hooks`, in the order they should stand there."""

SCOPE_CHECK = "scope-check"
FEEDFORWARD = "feedforward"
KEPT_FILES = "kept-files"
AGE_APPROPRIATE = "age-appropriate"
CURRICULUM_EVIDENCE = "curriculum-evidence"
REFLECTION = "reflection-prompt"
CONFIDENCE = "confidence"
ADJUDICATION = "teacher-adjudication"
MEMORY_CAPTURE = "memory-capture"

SAVED = "saved"
"""The step of adjudication that keeps what was saved and decided; doors read it in the journal."""
REPORT = "report"
"""The step of the evidence check that keeps what was found."""

HOOK_NAMES = (
    SCOPE_CHECK,
    FEEDFORWARD,
    KEPT_FILES,
    AGE_APPROPRIATE,
    CURRICULUM_EVIDENCE,
    REFLECTION,
    CONFIDENCE,
    ADJUDICATION,
    MEMORY_CAPTURE,
)
