using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Values of a job's object <c>iobench</c>. Options that it does not list do not have fio's defaults.</summary>
internal static class FioIoBenchFields
{
    internal const string Name = "iobench";

    internal const string LoadModel = "load model";

    /// <summary>Get returns null or an empty text if the value is unknown.</summary>
    internal static IReadOnlyList<(string Name, Func<IoTestResult, string?> Get, Action<IoTestResult, string> Set)> All { get; } =
    [
        ("status", r => r.Status == IoResultStatus.Complete ? null : r.Status.ToString(), SetStatus),
        ("error id", r => r.ErrorId, (r, text) => r.ErrorId = text),
        ("error", r => r.ErrorMessage, (r, text) => r.ErrorMessage = text),
        ("computer", r => r.ComputerName, (r, text) => r.ComputerName = text),
        ("workload", r => r.Workload, (r, text) => r.Workload = text),
        (LoadModel, r => r.LoadModel?.ToString(), SetLoadModel),
        ("engine", r => r.Backend, (r, text) => r.Backend = text),
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
