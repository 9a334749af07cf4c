/**
 * A page may be worth showing though what its address asked for makes no sense. Whoever finds that out marks the request, and the guard
 * answers the page with 422.
 */
const unprocessable = new WeakSet<Request>();

export function markUnprocessable(request: Request): void {
  unprocessable.add(request);
}

export function isUnprocessable(request: Request): boolean {
  return unprocessable.has(request);
}
