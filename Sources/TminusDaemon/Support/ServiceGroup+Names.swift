package import ServiceLifecycle

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// The default name describes every value in the service, which took a quarter of a short start.
    package init(namedByType service: any Service, onFailure: TerminationBehavior = .cancelGroup) {
        self.init(
            service: service, failureTerminationBehavior: onFailure, serviceName: "\(type(of: service))")
    }
}
