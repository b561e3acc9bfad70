using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web,
    GenerationMode = JsonSourceGenerationMode.Metadata,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    IgnoreReadOnlyProperties = true
)]
[JsonSerializable(typeof(FleetScene))]
internal sealed partial class FleetSceneJson : JsonSerializerContext
{
    public static FleetSceneJson Readable { get; } =
        new(
            new JsonSerializerOptions(JsonSerializerDefaults.Web)
            {
                Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
                DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
                IgnoreReadOnlyProperties = true,
            }
        );
}

/// <summary>
/// Writes the state of a fleet to a small file in the journal folder every second, so that another process can watch the fleet. If the file
/// cannot be written, the fleet
/// runs without it.
/// </summary>
public sealed class FleetLive : IFleetObserver, IDisposable
{
    private const int EventsKept = 20;

    private readonly IFleetObserver _inner;
    private readonly string? _file;
    private readonly List<FleetEvent> _events = [];
    private readonly HashSet<string> _failed = [];
    private FleetScene _scene;
    private bool _isOff;

    private FleetLive(string group, string? folder, IFleetObserver inner)
    {
        (_inner, _file) = (inner, folder is null ? null : FileOf(folder, group));
        _scene = new FleetScene
        {
            Group = group,
            Time = DateTimeOffset.Now,
            Controller = Environment.ProcessId,
        };
    }

    /// <summary>Creates the file of a fleet and deletes the files of fleets that have ended.</summary>
    /// <param name="inner">Receives every call too.</param>
    public static FleetLive Begin(string group, IFleetObserver inner) => Begin(group, inner, JournalFolder.Path);

    internal static FleetLive Begin(string group, IFleetObserver inner, string? folder)
    {
        var live = new FleetLive(group, folder, inner);
        live.Try(() =>
        {
            JournalFolder.Make(folder!);
            foreach (var file in FleetWatch.FilesIn(folder!).Where(file => FleetWatch.Read(file) is not { IsAlive: true }))
                File.Delete(file);
        });
        live.Save();
        return live;
    }

    internal static string FileOf(string folder, string group) => Path.Combine(folder, $"fleet-{group}.json");

    /// <inheritdoc/>
    public void OnWarning(IoWarning warning)
    {
        ArgumentNullException.ThrowIfNull(warning);
        Note(warning.Code, warning.Text);
        _inner.OnWarning(warning);
    }

    /// <inheritdoc/>
    public void OnWaiting(IReadOnlyList<FleetHost> hosts, TimeSpan time)
    {
        Note(FleetEventCodes.Waiting, FleetText.Waiting(hosts, time));
        _inner.OnWaiting(hosts, time);
    }

    /// <inheritdoc/>
    public void OnTestBegun(int test, IReadOnlyList<string> hosts)
    {
        Note(FleetEventCodes.TestBegins, FleetText.Begun(test, hosts.Count));
        _inner.OnTestBegun(test, hosts);
    }

    /// <inheritdoc/>
    public void OnResult(FleetHost host, IoTestResult result) => _inner.OnResult(host, result);

    /// <inheritdoc/>
    public void OnFailure(FleetFailure failure)
    {
        ArgumentNullException.ThrowIfNull(failure);
        // A lost host fails all its tests for the same reason, so report the reason once.
        if (_failed.Add(failure.ToString()))
            Note(failure.ErrorId, failure.Words);
        _inner.OnFailure(failure);
    }

    /// <inheritdoc/>
    public void OnTestEnded(int test) => _inner.OnTestEnded(test);

    /// <inheritdoc/>
    public void OnLeft(FleetHost host, FleetPhase phase) => _inner.OnLeft(host, phase);

    /// <inheritdoc/>
    public void OnStatus(FleetStatus status)
    {
        _scene = FleetScene.Of(_scene.Group, status, DateTimeOffset.Now) with { Controller = Environment.ProcessId };
        Save();
        _inner.OnStatus(status);
    }

    /// <summary>Marks the fleet as ended. The file stays until the next fleet starts.</summary>
    public void Dispose()
    {
        _scene = _scene with { HasEnded = true, Time = DateTimeOffset.Now, Worst = [], Silent = [] };
        Save();
    }

    private void Note(string code, IoText text)
    {
        _events.Add(FleetEvent.Of(code, text));
        if (_events.Count > EventsKept)
            _events.RemoveAt(0);
    }

    private void Save() =>
        Try(() =>
        {
            // Write a new file and move it, so that a reader never sees a partial file.
            var beside = _file + ".new";
            File.WriteAllText(beside, JsonSerializer.Serialize(_scene with { Events = [.. _events] }, FleetSceneJson.Readable.FleetScene));
            File.Move(beside, _file!, overwrite: true);
        });

    private void Try(Action save)
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
