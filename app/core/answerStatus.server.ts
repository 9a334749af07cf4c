/**
 * Requests whose page is shown with status 422: its address asked for something that makes no sense, and the page is
 * still worth showing. The guard reads the mark when it answers.
 */
const unprocessable = new WeakSet<Request>();

/** Marks a request, so that the guard answers its page with 422. */
export function markUnprocessable(request: Request): void {
  unprocessable.add(request);
}

/** Returns whether a loader marked the request. */
export function isUnprocessable(request: Request): boolean {
  return unprocessable.has(request);
}
