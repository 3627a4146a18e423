"""Runs the benchmarks: `python -m bench [--only a,b]`."""

import argparse
import importlib
import sys

from bench.harness import Benchmark, measure, save, show

# name: the module whose `BENCHMARKS` holds it; modules are imported only when they are run
WHERE = {
    "start": "bench.start",
    "help": "bench.start",
    "hook-plain": "bench.hook",
    "hook-parsed": "bench.hook_parsed",
    "ws-echo": "bench.doors",
    "ws-broadcast-200": "bench.doors",
    "mcp-call": "bench.doors",
    "loop-20": "bench.loop",
    "loop-100": "bench.loop",
    "memory-append": "bench.memory_log",
    "memory-append-50": "bench.memory_log",
    "memory-search-6k": "bench.memory_search",
    "memory-search-1m": "bench.memory_search",
    "memory-rebuild": "bench.memory_search",
    "traces-1m": "bench.traces",
    "study-plan-10k": "bench.study_plan",
    "dashboard-1m": "bench.dashboard",
    "two-servers": "bench.two_servers",
    "web-first-paint": "bench.web",
    "web-palette": "bench.web",
    "web-page": "bench.web",
    "web-typing": "bench.web",
    "web-chat-2k": "bench.web_lists",
    "web-trace-10k": "bench.web_lists",
    "web-graph-2k": "bench.web_lists",
}


def main() -> int:
    """Measure, show, save; exit 1 when a promise is not kept."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--only", default=",".join(WHERE), help="names, separated by commas")
    names = parser.parse_args().only.split(",")
    unknown = [name for name in names if name not in WHERE]
    if unknown:
        print(
            f"There is no benchmark `{unknown[0]}`; there are: {', '.join(WHERE)}", file=sys.stderr
        )
        return 2
    results = []
    for name in names:
        results.append(measure(_find(name)))
        show(results[-1])
    save(results)
    return 0 if all(result.kept for result in results) else 1


def _find(name: str) -> Benchmark:
    module = importlib.import_module(WHERE[name])
    return next(benchmark for benchmark in module.BENCHMARKS if benchmark.name == name)


if __name__ == "__main__":
    sys.exit(main())
