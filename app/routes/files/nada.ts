/** Takes a form whose fields were left with Enter and which sends nothing by Enter (`SinEnter`). The page stays as it is, with the typed text. */
export async function action() {
  return new Response(null, { status: 204 });
}
