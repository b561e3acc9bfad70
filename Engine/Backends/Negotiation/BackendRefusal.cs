namespace IoBench.Engine.Backends.Negotiation;

/// <summary>Inside an error: the system refused a backend what a run needs of it, so that another backend may still do.</summary>
internal sealed class BackendRefusal(string reason) : Exception(reason)
{
    /// <summary>The error of a worker whose backend was refused.</summary>
    /// <param name="reason">Why, as the end of a sentence.</param>
    public static IoBenchException Error(BackendDescriptor kind, string reason) =>
        IoBenchException.Failure(
            "IoBench.BackendNotAvailable",
            $"{Opt.Backend.With(kind)} cannot be used: {reason}.",
            null,
            new BackendRefusal(reason),
            advice: $"Leave the choice to IoBench ({Opt.Backend.With(BackendCatalog.Auto)})."
        );

    /// <summary>The error of a run that asked for polling, which no backend here can do for it.</summary>
    /// <param name="reason">Why, as the end of a sentence.</param>
    public static IoBenchException OfPolling(IoPolling polling, string reason) =>
        IoBenchException.Failure(
            "IoBench.BackendNotAvailable",
            $"{Opt.Polling.With(polling)} cannot be used: {reason}.",
            null,
            new BackendRefusal(reason),
            advice: $"Leave {Opt.Polling} out."
        );

    /// <summary>Why a backend was refused; null when the error is another one.</summary>
    public static string? ReasonOf(IoBenchException error) => (error.InnerException as BackendRefusal)?.Message;
}
