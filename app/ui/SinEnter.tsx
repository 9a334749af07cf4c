/**
 * The first submit buttons of a form that Enter in a field does not send, with JavaScript and without it. Where a script runs, `holdEnter` sees to it. Elsewhere,
 * Enter in a text presses the first one, which is disabled. In a list, a box or a day it presses the first one that can be: the second, which is answered
 * with 204, so that page, dialog and what was typed stay as they are. Files stay here: of them it sends names. The form's own button is pressed by a click, by
 * Space or Enter on it, or by Ctrl+Enter. `form` is for where the header of a stepper has buttons of the form before it.
 */
export function SinEnter({ form }: { form?: string }) {
  return (
    <>
      <button type="submit" form={form} disabled hidden data-sin-enter="" />
      <button
        type="submit"
        form={form}
        formMethod="post"
        formAction="/nada"
        formEncType="application/x-www-form-urlencoded"
        formNoValidate
        hidden
        tabIndex={-1}
      />
    </>
  );
}
