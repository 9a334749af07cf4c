/**
 * The first submit buttons of a form that Enter in a field must not send, with JavaScript and without. With scripts `holdEnter` does the work. Without, Enter
 * in a text field presses the first button, which is disabled; in a list, a checkbox or a day it presses the second, which is answered with 204, so that page,
 * dialog and typed text stay. Only names of files are sent. The form's own button is pressed by a click, by Space or Enter on it, or by Ctrl+Enter. `form`: the
 * form's id, where the header of a stepper has buttons of the form before it.
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
