import { TextInput } from '@mantine/core';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { MesInputProps } from './MesCalendario';

const MesCalendario = lazy(() => import('./MesCalendario'));

/** The field `mes` of a form, 'YYYY-MM': the browser's own where it has one. Firefox and Safari on a desk have none: a calendar, or without JavaScript typed by hand. */
export function MesInput(props: MesInputProps) {
  const { mes, ...rest } = props;
  const lacking = useSyncExternalStore(never, lacksMonthField, () => false);
  const native = (
    <TextInput
      key={mes}
      type="month"
      name="mes"
      placeholder="AAAA-MM"
      pattern="[0-9]{4}-[0-9]{2}"
      defaultValue={mes}
      {...rest}
    />
  );
  return lacking ? (
    <Suspense fallback={native}>
      <MesCalendario key={mes} {...props} />
    </Suspense>
  ) : (
    native
  );
}

const never = () => () => {};

function lacksMonthField(): boolean {
  const probe = document.createElement('input');
  probe.type = 'month';
  return probe.type !== 'month';
}
