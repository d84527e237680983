import Testing
import TminusCore
import TminusTestKit

@Suite("CloudEvent")
struct CloudEventTests {
    @Test("a reminder has every member of the contract, in a fixed order")
    func reminder() {
        let delivery = Deliveries.one()
        let text = String(decoding: CloudEvent.json(delivery), as: UTF8.self)
        #expect(
            text == """
                {"specversion":"1.0","id":"\(delivery.id)","source":"/tminus/test","type":"tminus.reminder",\
                "subject":"launch","time":"\(delivery.due.rfc3339)","datacontenttype":"application/json",\
                "data":{"id":"launch","kind":"event","name":"Product launch","description":"Product launch",\
                "labels":{"odd key ":"Product launch","team":"Product launch"},"due":"2026-12-01T09:00:00+01:00",\
                "timezone":"Europe/Berlin","before":{"seconds":86400,"text":"1 day"},\
                "remaining":{"seconds":86399.998468,"text":"1 day"},"scheduled":"2026-11-30T08:00:00.000Z",\
                "fired":"2026-11-30T08:00:00.001532000Z","late":0.001532,"catch-up":false,"attempt":1,\
                "occurrence":"2026-12-01T08:00:00.000Z","message":"Product launch in 1 day"}}
                """)
        #expect(CloudEvent.json(delivery).starts(with: CloudEvent.prefix))
    }

    @Test("an expiry has no keys for missing values")
    func expiry() {
        var delivery = Deliveries.one()
        delivery.action = .expiry
        delivery.payload.before = nil
        delivery.payload.description = nil
        let text = String(decoding: CloudEvent.json(delivery), as: UTF8.self)
        #expect(text.contains(#""type":"tminus.expiry""#))
        #expect(!text.contains("before") && !text.contains("description"))
    }
}
