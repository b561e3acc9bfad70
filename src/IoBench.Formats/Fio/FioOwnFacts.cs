namespace IoBench.Formats.Fio;

/// <summary>A fact of a result that fio's JSON has no place for.</summary>
/// <param name="Name">Its name in the job's object.</param>
/// <param name="Get">Takes it from a result; null or empty = not known.</param>
/// <param name="Set">Gives it to a result.</param>
internal sealed record FioOwnFact(string Name, Func<IoTestResult, string?> Get, Action<IoTestResult, string> Set);

/// <summary>What stands in the object <c>iobench</c> of a job that IoBench wrote. A job that has it says of itself only what is in its options: none has a default.</summary>
internal static class FioOwnFacts
{
    internal const string Name = "iobench";

    /// <summary>Name of the fact that no rate paced the I/O.</summary>
    internal const string LoadModel = "load model";

    internal static IReadOnlyList<FioOwnFact> All { get; } =
    [
        new("status", r => r.Status == IoResultStatus.Complete ? null : r.Status.ToString(), SetStatus),
        new("error id", r => r.ErrorId, (r, text) => r.ErrorId = text),
        new("error", r => r.ErrorMessage, (r, text) => r.ErrorMessage = text),
        new("computer", r => r.ComputerName, (r, text) => r.ComputerName = text),
        new("workload", r => r.Workload, (r, text) => r.Workload = text),
        new(LoadModel, r => r.LoadModel?.ToString(), SetLoadModel),
        new("engine", r => r.Backend, (r, text) => r.Backend = text),
    ];

    private static void SetLoadModel(IoTestResult result, string text)
    {
        if (Enum.TryParse<IoLoadModel>(text, out var model) && Enum.IsDefined(model))
            result.LoadModel = model;
    }

    private static void SetStatus(IoTestResult result, string text)
    {
        if (Enum.TryParse<IoResultStatus>(text, out var status) && Enum.IsDefined(status))
            result.Status = status;
    }
}
