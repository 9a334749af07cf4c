import { Estatus } from '~/ui/Estatus';

type Props = { isSet: boolean; where: string };

/** The card of a far side that the server's environment configures. There is nothing to type. */
export function SettingsCard({ isSet, where }: Props) {
  return (
    <p>
      <Estatus tono={isSet ? 'ok' : 'neutro'}>{isSet ? 'Está configurado.' : 'No está configurado.'}</Estatus>{' '}
      <span className="nota">Se configura en el servidor ({where}).</span>
    </p>
  );
}
