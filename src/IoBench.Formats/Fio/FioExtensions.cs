using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>A value of a result that fio's JSON cannot hold.</summary>
/// <param name="Name">Name in the job's object.</param>
/// <param name="Get">Reads the value from a result; null or empty if unknown.</param>
/// <param name="Set">Sets the value of a result.</param>
internal sealed record FioExtension(string Name, Func<IoTestResult, string?> Get, Action<IoTestResult, string> Set);

/// <summary>
/// The values in the object <c>iobench</c> of a job that IoBench wrote. A job with this object has only the options that it lists: absent
/// options do not have fio's defaults.
/// </summary>
internal static class FioExtensions
{
    internal const string Name = "iobench";

    internal const string LoadModel = "load model";

    internal static IReadOnlyList<FioExtension> All { get; } =
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
