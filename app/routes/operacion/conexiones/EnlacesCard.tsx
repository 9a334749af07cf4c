import { Checkbox } from '@mantine/core';
import type { AjustesFacturacion } from '~/domain/facturacion/cfdi/ajustes.server';
import { Boton } from '~/ui/Boton';
import { Visto } from '~/ui/Choque';
import { Field } from '~/ui/Field';
import { ActionForm, useActionForm } from '~/ui/useActionForm';
import { abrirTo } from './Tarjeta';

/** The name of the card in the address. */
export const ENLACES = 'enlaces';

/** The card of the ways in which customers get their links and their CFDI. */
export function EnlacesCard({ ajustes }: { ajustes: AjustesFacturacion & { huella: string } }) {
  const form = useActionForm<{ enlaceDias: string }>('ajustes', {
    defaultValue: { enlaceDias: String(ajustes.enlaceDias) },
    required: { enlaceDias: true },
  });
  return (
    <ActionForm of={form} action={abrirTo(ENLACES)} className="apilado">
      <Visto of={form} marcas={{ huella: ajustes.huella }} />
      <Field
        field={form.fields.enlaceDias}
        label="Vigencia de los enlaces (días)"
        inputMode="numeric"
        maxLength={3}
        autoComplete="off"
        className="corto"
      />
      <Checkbox
        name="enlaceAutomatico"
        value="on"
        defaultChecked={ajustes.enlaceAutomatico !== null}
        label="Enviar el enlace por mensaje al confirmarse el pago (uno por venta, solo ventas nuevas)"
      />
      <Checkbox
        name="subirCfdiMl"
        value="on"
        defaultChecked={ajustes.subirCfdiMl}
        label="Entregar cada factura al comprador en su venta: PDF y XML en Mercado Libre, mensaje con el PDF en Amazon donde lo permita"
      />
      <div className="botones">
        <Boton tono="acento" type="submit">
          Guardar
        </Boton>
      </div>
    </ActionForm>
  );
}
