namespace IoBench.Analysis;

/// <summary>An ERRORLOG file that was read. Times are local times of the server.</summary>
public sealed record ErrorLogSource(string Path, DateTime First, DateTime Last, long Messages);
