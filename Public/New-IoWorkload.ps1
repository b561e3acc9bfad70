function New-IoWorkload {
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Makes objects and changes nothing.')]
    [OutputType([IoBench.Engine.IoTestSpecification])]
    param(
        # Two snapshots of sys.dm_io_virtual_file_stats, the earlier one first: paths of CSV files, or the rows of two queries.
        [Parameter(Mandatory, Position = 0)]
        [ValidateCount(2, 2)]
        [object[]] $FromFileStats,

        # With a path for a role all loads run at once, each on its path.
        [string] $DataPath,

        [string] $LogPath,

        [string] $TempdbPath
    )

    $first = Read-IoFileStats -Snapshot $FromFileStats[0] -Name 'the first snapshot' -Cmdlet $PSCmdlet
    $second = Read-IoFileStats -Snapshot $FromFileStats[1] -Name 'the second snapshot' -Cmdlet $PSCmdlet
    $load = [IoBench.Loader.OwnLoad]::Between($first, $second)
    if ($load.Error) {
        $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $load.Error))
    }
    foreach ($warning in $load.Value.Warnings) { $PSCmdlet.WriteWarning($warning) }
    foreach ($part in $load.Value.Loads) {
        Write-Verbose ([string]::Format([cultureinfo]::InvariantCulture, '{0} {1}s: {2:N1} a second of {3:N1} KB; SQL Server waited {4:N2} ms each ({5} file(s), {6:N0} s)',
                $part.Role, "$($part.Operation)".ToLowerInvariant(), $part.IOPS, $part.BlockSizeKB, $part.LatencyMs, $part.Files, $load.Value.Seconds))
    }

    $paths = [System.Collections.Generic.Dictionary[string, string]]::new()
    foreach ($pair in @{ data = $DataPath; log = $LogPath; tempdb = $TempdbPath }.GetEnumerator()) {
        if ($pair.Value) { $paths[$pair.Key] = @(Resolve-IoPath -Path $pair.Value -AllowMissing -Cmdlet $PSCmdlet)[0] }
    }
    if ($paths.Count -eq 0) {
        $load.Value.CreateSpecifications()
        return
    }
    foreach ($role in $load.Value.LeftOut($paths)) { $PSCmdlet.WriteWarning("$role has no path: its load is left out.") }
    $together = [IoBench.Loader.OwnLoad]::Together($load.Value, $paths)
    if ($together.Error) {
        $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $together.Error))
    }
    $together.Value
}
