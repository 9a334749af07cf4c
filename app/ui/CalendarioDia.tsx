import '@mantine/dates/styles.css';
import 'dayjs/locale/es-mx';
import { DatePicker } from '@mantine/dates';

export type CalendarioDiaProps = {
  /** The chosen day, 'YYYY-MM-DD'; '' for none. */
  dia: string;
  /** The month at which the calendar opens when no day is chosen. */
  cerca: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChoose: (dia: string) => void;
};

/** A month to choose a day from. */
export default function CalendarioDia({ dia, cerca, min, max, onChoose }: CalendarioDiaProps) {
  return (
    <DatePicker
      value={dia || null}
      defaultDate={dia || cerca}
      onChange={(chosen) => onChoose(chosen ?? dia)}
      minDate={min}
      maxDate={max}
      locale="es-mx"
      firstDayOfWeek={1}
      // A Sunday looks like any other day, since red marks faults.
      weekendDays={[]}
      hideOutsideDates
      monthLabelFormat="MMMM YYYY"
      monthsListFormat="MMM"
      weekdayFormat="dd"
      ariaLabels={{
        previousMonth: 'Mes anterior',
        nextMonth: 'Mes siguiente',
        monthLevelControl: 'Elegir el mes',
        previousYear: 'Año anterior',
        nextYear: 'Año siguiente',
        yearLevelControl: 'Elegir el año',
        previousDecade: 'Década anterior',
        nextDecade: 'Década siguiente',
      }}
    />
  );
}
