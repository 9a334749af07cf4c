import { Money } from '~/core/money';
import { askConfirm } from '~/domain/compras/pedidos/pedido';
import { Confirm } from '~/ui/Confirm';
import { Estatus } from '~/ui/Estatus';
import { Field } from '~/ui/Field';
import { useLugar } from '~/ui/lugar';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { Hidden } from '~/ui/useAnswer';
import type { PedidoAbierto } from './record';
import './pedidos.css';

const TONO = { detiene: 'mal', motivo: 'aviso', avisa: 'neutro' } as const;
const QUE_HACE = { detiene: 'Detiene', motivo: 'Pide motivo', avisa: 'Aviso' } as const;

/** Cost and income of a pedido, as the questions before a purchase tell them. */
export const dineroDe = ({ revision: { costo, recibe, pagado, estimado } }: Pick<PedidoAbierto, 'revision'>) => ({
  costo: costo === null ? null : Money.of(costo),
  recibe: Money.of(recibe),
  pagado: Money.of(pagado),
  estimado,
});

/** The objections to a purchase. */
export function Hallazgos({ revision: { hallazgos } }: Pick<PedidoAbierto, 'revision'>) {
  if (hallazgos.length === 0)
    return (
      <p>
        <Estatus tono="ok">Nada lo detiene</Estatus>
      </p>
    );
  return (
    <ul className="hallazgos">
      {hallazgos.map(({ clave, severidad, texto }) => (
        <li key={`${clave}${texto}`}>
          <Estatus tono={TONO[severidad]}>{QUE_HACE[severidad]}</Estatus> {texto}
        </li>
      ))}
    </ul>
  );
}

/** Returns whether an objection stops the purchase, whatever a person says. */
export const isDetenido = ({ revision: { hallazgos } }: Pick<PedidoAbierto, 'revision'>): boolean =>
  hallazgos.some(({ severidad }) => severidad === 'detiene');

/** The id of the form that confirms a pedido. */
export const formaOf = (pedidoId: string) => `confirmarPedido-${pedidoId}`;

/** The form that confirms a pedido. An objection is not asked about here: the server checks again when the form is sent, and refuses or asks. */
export function ConfirmarForm({ pedido }: { pedido: PedidoAbierto }) {
  const { id, version, revision } = pedido;
  const pideMotivo = revision.hallazgos[0]?.severidad === 'motivo';
  const form = useActionForm<{ motivo: string }>('confirmarPedido', {
    id: formaOf(id),
    required: { motivo: pideMotivo },
  });
  const deOtraPantalla = useLugar() !== null;
  return (
    <ActionForm of={form}>
      <Hidden pedido={id} version={version} costo={revision.costo} />
      {pideMotivo && (
        <Field field={form.fields.motivo} label="Motivo para comprarlo así" autoComplete="off" data-foco />
      )}
      <Confirm
        {...askConfirm({ ...pedido, dinero: dineroDe(pedido) })}
        ready={(element) => !isDetenido(pedido) && form.ready(element)}
      >
        Confirmar pedido
      </Confirm>
      {deOtraPantalla && form.pending && (
        <span role="status" className="nota">
          Enviando…
        </span>
      )}
    </ActionForm>
  );
}
