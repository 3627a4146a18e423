/** A server that answers `fetch` from a table, and remembers what it was asked. */

interface Answer {
  status?: number;
  body: unknown;
}

interface Asked {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

export class FakeServer {
  readonly asked: Asked[] = [];
  private readonly answers = new Map<string, Answer | "unreachable">();

  /** `question` is a method and a path: "GET /api/setup". */
  answer(question: string, body: unknown, status = 200): this {
    this.answers.set(question, { body, status });
    return this;
  }

  fail(question: string, status: number, message: string, hint: string | null = null): this {
    return this.answer(question, { error: { code: "test", message, hint } }, status);
  }

  lose(question: string): this {
    this.answers.set(question, "unreachable");
    return this;
  }

  fetch: typeof fetch = (path, options) => {
    if (typeof path !== "string") throw new Error("the app asks by path");
    const method = options?.method ?? "GET";
    const body: unknown = typeof options?.body === "string" ? JSON.parse(options.body) : null;
    this.asked.push({ method, path, headers: new Headers(options?.headers), body });
    const answer = this.answers.get(`${method} ${path}`);
    if (answer === undefined || answer === "unreachable") return Promise.reject(new TypeError("Failed to fetch"));
    const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
    return Promise.resolve(new Response(text, { status: answer.status ?? 200 }));
  };
}
