using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>A value that fio's JSON cannot hold; null or empty if unknown.</summary>
internal sealed record FioExtension(string Name, Func<IoTestResult, string?> Get, Action<IoTestResult, string> Set);

/// <summary>Values of a job's object <c>iobench</c>. Options that it does not list do not have fio's defaults.</summary>
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
