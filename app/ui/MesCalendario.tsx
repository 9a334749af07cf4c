import '@mantine/core/styles/Popover.css';
import '@mantine/dates/styles.css';
import 'dayjs/locale/es-mx';
import { MonthPickerInput } from '@mantine/dates';
import { useEffect, useRef, useState } from 'react';

export type MesInputProps = {
  /** The chosen month, 'YYYY-MM'; '' for none. */
  mes: string;
  label: string;
  max?: string;
  required?: boolean;
};

/** A month chosen from a calendar, for browsers without a month field of their own. */
export default function MesCalendario({ mes, label, max, required }: MesInputProps) {
  const [chosen, setChosen] = useState(mes === '' ? null : `${mes}-01`);
  const field = useRef<HTMLInputElement>(null);
  // Nobody types in a hidden field: the form is told as if someone had.
  useEffect(() => void field.current?.dispatchEvent(new Event('input', { bubbles: true })), [chosen]);
  return (
    <>
      <MonthPickerInput
        label={label}
        required={required}
        placeholder="Elige un mes"
        value={chosen}
        onChange={setChosen}
        maxDate={max && `${max}-01`}
        locale="es-mx"
        valueFormat="MMMM [de] YYYY"
        monthsListFormat="MMM"
        popoverProps={{ withinPortal: false, withRoles: false }}
        ariaLabels={{
          previousYear: 'Año anterior',
          nextYear: 'Año siguiente',
          yearLevelControl: 'Elegir el año',
          nextDecade: 'Década siguiente',
          previousDecade: 'Década anterior',
        }}
      />
      <input ref={field} type="hidden" name="mes" value={chosen?.slice(0, 7) ?? ''} />
    </>
  );
}
