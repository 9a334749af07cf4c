import '@mantine/dates/styles.css';
import 'dayjs/locale/es-mx';
import { DatePicker } from '@mantine/dates';

export type CalendarioDiaProps = {
  /** 'YYYY-MM-DD', or nothing chosen yet. */
  dia: string;
  /** Where it opens when none is. */
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
      // A Sunday is a day like any other, and red is for what is wrong.
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
