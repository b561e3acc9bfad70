namespace IoBench.Formats;

internal sealed partial class DiskSpdTextParser
{
    private bool TryParseMessage(ReadOnlySpan<char> line)
    {
        if (DiskSpdLogLines.IsError(line))
        {
            AddError(line.ToString());
            return true;
        }
        if (line.StartsWith("WARNING:"))
        {
            var warning = "DiskSpd said: " + line.ToString();
            if (_run is not null)
                _run.AddWarning(warning);
            else if (_earlyWarnings.Count < DiskSpdRun.MaxWarnings)
                _earlyWarnings.Add(warning);
            return true;
        }
        if (DiskSpdLogLines.IsVerbose(line) || DiskSpdLogLines.IsTranscript(line))
            return true;
        // The prompt belongs to the next call, so the current run is complete.
        if (DiskSpdLogLines.IsPrompt(line))
        {
            if (_run is not null || _earlyErrors.Count > 0)
                EndRun();
            return true;
        }
        return false;
    }

    private void AddError(string text)
    {
        HasDiskSpdOutput = true;
        // Messages go to stderr during the run, and the text goes to stdout at its end. So messages precede the run that they belong to.
        if (_run is null || _span is { Interruption: null })
        {
            if (_run is not null && _seen.IsComplete(_run, _span))
                EndRun();
            if (_run is null)
            {
                if (_earlyErrors.Count < DiskSpdRun.MaxWarnings)
                    _earlyErrors.Add(text);
                return;
            }
        }
        if (_run.Errors.Count < DiskSpdRun.MaxWarnings)
            _run.Errors.Add(text);
    }

    /// <summary>
    /// Holds a line until the next one shows its meaning. Through 2.1, the heading of a target's percentiles is only its path.
    /// </summary>
    private void HoldLine(ReadOnlySpan<char> line)
    {
        FlushHeldLine();
        if (_run is null)
            return;
        _held = line.Length <= 1024 ? line.ToString() : line[..1024].ToString();
        _heldLine = _line;
    }

    private void FlushHeldLine()
    {
        if (!string.IsNullOrEmpty(_held))
            _run?.AddWarning($"Line {_heldLine}: '{(_held.Length > 100 ? _held[..100] + "…" : _held)}' was not understood.");
        _held = null;
    }
}
