using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web,
    GenerationMode = JsonSourceGenerationMode.Metadata,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    IgnoreReadOnlyProperties = true
)]
[JsonSerializable(typeof(LiveView))]
internal sealed partial class LiveViewJson : JsonSerializerContext
{
    public static LiveViewJson Readable { get; } =
        new(
            new JsonSerializerOptions(JsonSerializerDefaults.Web)
            {
                Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
                DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
                IgnoreReadOnlyProperties = true,
            }
        );
}

/// <summary>Writes the state of a fleet every second, so that another process can watch it. If the file cannot be written, the fleet runs
/// without it.</summary>
public sealed class LiveViewWriter : IFleetObserver, IDisposable
{
    private const int MaxEvents = 20;

    private readonly IFleetObserver _inner;
    private readonly string? _file;
    private readonly List<FleetEvent> _events = [];
    private readonly HashSet<string> _failed = [];
    private LiveView _view;
    private bool _isOff;

    private LiveViewWriter(string group, string? folder, IFleetObserver inner)
    {
        _inner = inner;
        _file = folder is null ? null : GetPath(folder, group);
        _view = new LiveView
        {
            Group = group,
            Time = DateTimeOffset.Now,
            Controller = Environment.ProcessId,
        };
    }

    /// <summary>Creates the file of a fleet and deletes the files of fleets that have ended.</summary>
    public static LiveViewWriter Create(string group, IFleetObserver inner) => Create(group, inner, JournalFolder.Path);

    internal static LiveViewWriter Create(string group, IFleetObserver inner, string? folder)
    {
        var live = new LiveViewWriter(group, folder, inner);
        live.TryWrite(() =>
        {
            JournalFolder.CreateFolder(folder!);
            foreach (var file in LiveViewReader.FindFiles(folder!).Where(file => LiveViewReader.ReadFile(file) is not { IsAlive: true }))
                File.Delete(file);
        });
        live.Save();
        return live;
    }

    internal static string GetPath(string folder, string group) => JournalFolder.GetFilePath(folder, $"fleet-{group}.json");

    public void OnWarning(IoWarning warning)
    {
        ArgumentNullException.ThrowIfNull(warning);
        AddEvent(warning.Code, warning.Text);
        _inner.OnWarning(warning);
    }

    public void OnWaiting(IReadOnlyList<FleetHost> hosts, TimeSpan time)
    {
        AddEvent(FleetEvent.Waiting, FleetProgressMessages.DescribeWaiting(hosts, time));
        _inner.OnWaiting(hosts, time);
    }

    public void OnTestBegun(int test, IReadOnlyList<string> hosts)
    {
        AddEvent(FleetEvent.TestBegins, FleetProgressMessages.DescribeTestStart(test, hosts.Count));
        _inner.OnTestBegun(test, hosts);
    }

    public void OnResult(FleetHost host, IoTestResult result) => _inner.OnResult(host, result);

    public void OnFailure(FleetFailure failure)
    {
        ArgumentNullException.ThrowIfNull(failure);
        // A lost host fails all its tests for the same reason, so report the reason once.
        if (_failed.Add(failure.ToString()))
            AddEvent(failure.ErrorId, failure.Words);
        _inner.OnFailure(failure);
    }

    public void OnTestEnded(int test) => _inner.OnTestEnded(test);

    public void OnLeft(FleetHost host, FleetHostPhase phase) => _inner.OnLeft(host, phase);

    public void OnStatus(FleetStatus status)
    {
        _view = LiveView.FromStatus(_view.Group, status, DateTimeOffset.Now) with { Controller = Environment.ProcessId };
        Save();
        _inner.OnStatus(status);
    }

    /// <summary>Marks the fleet as ended. The file stays until the next fleet starts.</summary>
    public void Dispose()
    {
        _view = _view with { HasEnded = true, Time = DateTimeOffset.Now, Worst = [], Silent = [] };
        Save();
    }

    private void AddEvent(string code, IoMessage text)
    {
        _events.Add(FleetEvent.Create(code, text));
        if (_events.Count > MaxEvents)
            _events.RemoveAt(0);
    }

    private void Save() =>
        TryWrite(() =>
        {
            // Write a new file and move it, so that a reader never sees a partial file.
            var beside = _file + ".new";
            using (var writer = new StreamWriter(JournalFolder.CreateFile(beside, FileMode.Create, FileShare.None)))
            {
                writer.Write(JsonResultReader.JournalHeader + "\n");
                writer.Write(JsonSerializer.Serialize(_view with { Events = [.. _events] }, LiveViewJson.Readable.LiveView));
            }
            File.Move(beside, _file!, overwrite: true);
        });

    private void TryWrite(Action save)
    {
        if (_isOff || _file is null)
            return;
        try
        {
            save();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // On Windows, a reader can have the file open for a moment, so try again next time. Stop if the folder is not writable.
            _isOff = e is UnauthorizedAccessException or DirectoryNotFoundException;
        }
    }
}
