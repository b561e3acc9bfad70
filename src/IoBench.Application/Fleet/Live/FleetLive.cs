using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace IoBench.Application.Fleet.Live;

[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web,
    GenerationMode = JsonSourceGenerationMode.Metadata,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    IgnoreReadOnlyProperties = true
)]
[JsonSerializable(typeof(FleetScene))]
internal sealed partial class FleetSceneJson : JsonSerializerContext
{
    /// <summary>Names of hosts are readable in it.</summary>
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
/// Keeps the scene of a fleet in a small file that is made anew each second, so that others can watch it. It is in the folder of the journal; that it cannot be
/// written costs nothing but the watching.
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

    /// <summary>Begins the file of a fleet; those of fleets that are over go.</summary>
    /// <param name="inner">Hears all of it too.</param>
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
        // A host that is lost fails all of its tests for one reason.
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

    /// <summary>It is over: the file stays until the next fleet, and says so.</summary>
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
            // Who reads meanwhile has the old one or the new one, never a half.
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
            // A reader on Windows may hold it for a moment; a folder that cannot be written to is not tried for ever.
            _isOff = e is UnauthorizedAccessException or DirectoryNotFoundException;
        }
    }
}
