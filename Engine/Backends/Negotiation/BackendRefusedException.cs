namespace IoBench.Engine;

/// <summary>Inner exception of an error that another backend can avoid: the system refused what this backend needs.</summary>
internal sealed class BackendRefusedException(string reason) : Exception(reason)
{
    public static IoBenchException CreateError(BackendDescriptor kind, string reason) =>
        IoBenchException.Failure(
            "IoBench.BackendNotAvailable",
            $"{OptionNames.Backend.WithValue(kind)} cannot be used: {reason}.",
            null,
            new BackendRefusedException(reason),
            advice: $"Leave the choice to IoBench ({OptionNames.Backend.WithValue(BackendCatalog.Auto)})."
        );

    public static IoBenchException CreatePollingError(IoPolling polling, string reason) =>
        IoBenchException.Failure(
            "IoBench.BackendNotAvailable",
            $"{OptionNames.Polling.WithValue(polling)} cannot be used: {reason}.",
            null,
            new BackendRefusedException(reason),
            advice: $"Leave {OptionNames.Polling} out."
        );

    public static string? GetReason(IoBenchException error) => (error.InnerException as BackendRefusedException)?.Message;
}
