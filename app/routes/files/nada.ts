/** Where a form goes whose fields someone left with Enter and which sends nothing by that (`SinEnter`): the page stays as it is, with what was typed. */
export async function action() {
  return new Response(null, { status: 204 });
}
