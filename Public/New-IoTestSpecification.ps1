function New-IoTestSpecification {
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Makes an object and changes nothing.')]
    [OutputType([IoBench.Engine.IoTestSpecification])]
    param(
        # Targets; they may also be given to Invoke-IoTest.
        [Parameter(Position = 0)]
        [string[]] $Path,

        # Begin with this workload's settings.
        [string] $Workload,

        # Begin with this specification's settings.
        [Parameter(ValueFromPipeline)]
        [ValidateNotNull()]
        [IoBench.Engine.IoTestSpecification] $InputObject,

        [IoBench.Engine.IoSize] $FileSize,

        [IoBench.Engine.IoDuration] $Duration,

        [IoBench.Engine.IoDuration] $WarmUp,

        [IoBench.Engine.IoDuration] $CoolDown,

        [IoBench.Engine.IoDuration] $RestBefore,

        [IoBench.Engine.IoSize] $BlockSize,

        [ValidateRange(1, 256)]
        [int] $ThreadCount,

        [Alias('QueueDepth', 'QD')]
        [ValidateRange(1, 256)]
        [int] $OutstandingIO,

        [ValidateRange(0, 100)]
        [int] $WritePercent,

        [IoBench.Engine.IoAccessPattern] $AccessPattern,

        [ValidateRange(1, 100)]
        [int] $RandomPercent,

        # Alignment of random offsets.
        [IoBench.Engine.IoSize] $Alignment,

        # Distance from one sequential I/O to the next.
        [IoBench.Engine.IoSize] $Stride,

        # Distance between the first offsets of a target's threads.
        [IoBench.Engine.IoSize] $ThreadStride,

        [ValidateRange(1, 1048576)]
        [int] $StripeColumns,

        [ValidateRange(1, 1048576)]
        [int] $StripeRows,

        # First byte that may be touched.
        [IoBench.Engine.IoSize] $BaseOffset,

        # End of what may be touched.
        [IoBench.Engine.IoSize] $MaxOffset,

        # Hot spots: 90/10, 0/10, 10/80 = share of the I/Os / percent of the range.
        [string[]] $Distribution,

        [IoBench.Engine.IoBuffering] $Buffering,

        [IoBench.Engine.IoWriteContentKind] $WriteContent,

        [string] $WriteContentFile,

        [IoBench.Engine.IoSize] $WriteContentSize,

        [ValidateRange(0, 100)]
        [int] $CompressiblePercent,

        [ValidateRange(1, [int]::MaxValue)]
        [int] $BurstSize,

        [IoBench.Engine.IoDuration] $ThinkTime,

        [ValidateRange(1, [int]::MaxValue)]
        [int] $FlushEvery,

        [ValidateRange(0.001, 1e9)]
        [double] $TargetIops,

        # Limit a thread and target.
        [ValidateRange(0.001, 1e9)]
        [double] $MaxIopsPerThread,

        [ValidateRange(1, 1e15)]
        [double] $MaxBytesPerSecondPerThread,

        [string] $Affinity,

        [IoBench.Engine.IoPriority] $Priority,

        [switch] $LargePages,

        [switch] $SequentialScanHint,

        [switch] $RandomAccessHint,

        [switch] $TemporaryHint,

        [switch] $ParallelSameOffset,

        # One pool of threads over all targets.
        [switch] $SharedThreadPool,

        [ValidateRange(1, 256)]
        [int] $PoolOutstandingIO,

        [IoBench.Engine.IoDuration] $TimelineInterval,

        [ulong] $Seed,

        [IoBench.Engine.IoBackendKind] $Backend,

        # Of the Null backend: I/Os served at once, 0 = without limit.
        [ValidateRange(0, 100000)]
        [int] $NullServers,

        # Of the Null backend: mean service time in milliseconds.
        [ValidateRange(0, 60000)]
        [double] $NullServiceMs,

        [IoBench.Engine.NullServiceTime] $NullServiceKind = 'Constant',

        [string] $Label
    )

    process {
        $specification = if ($InputObject) {
            $InputObject.Clone()
        } elseif ($Workload) {
            $found = [IoBench.Loader.Attempt]::FindWorkload($Workload)
            if ($found.Error) {
                $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $found.Error -TargetObject $Workload))
            }
            if ($found.Value.Kind -eq 'Suite') {
                $PSCmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.SuiteNotPossible' -Kind Usage -Message "$Workload is a suite. For its tests as specifications use Get-IoWorkload $Workload -AsSpecification." -TargetObject $Workload))
            }
            $found.Value.CreateSpecifications()[0]
        } else {
            [IoBench.Engine.IoTestSpecification]::new()
        }

        foreach ($name in $PSBoundParameters.Keys) {
            $value = $PSBoundParameters[$name]
            switch ($name) {
                { $_ -in 'ThreadCount', 'OutstandingIO', 'WritePercent', 'AccessPattern', 'RandomPercent', 'StripeColumns', 'StripeRows', 'Buffering', 'WriteContent', 'CompressiblePercent',
                    'BurstSize', 'FlushEvery', 'TargetIops', 'MaxIopsPerThread', 'MaxBytesPerSecondPerThread', 'Priority', 'PoolOutstandingIO', 'Seed', 'Backend', 'Label' } { $specification.$name = $value }
                { $_ -in 'LargePages', 'SequentialScanHint', 'RandomAccessHint', 'TemporaryHint', 'ParallelSameOffset', 'SharedThreadPool' } { $specification.$name = [bool]$value }
                { $_ -in 'FileSize', 'BlockSize', 'Alignment', 'Stride', 'ThreadStride', 'WriteContentSize' } { $specification.$name = $value.Bytes }
                { $_ -in 'Duration', 'WarmUp', 'CoolDown', 'RestBefore', 'TimelineInterval' } { $specification.$name = $value.TimeSpan }
                'ThinkTime' { $specification.ThinkTimeMs = [int]$value.TimeSpan.TotalMilliseconds }
            }
        }
        if ($PSBoundParameters.ContainsKey('RandomPercent') -and -not $PSBoundParameters.ContainsKey('AccessPattern')) {
            $specification.AccessPattern = 'PartRandom'
        }
        if ($WriteContentFile) {
            $specification.WriteContent = 'File'
            $specification.WriteContentFile = $PSCmdlet.SessionState.Path.GetUnresolvedProviderPathFromPSPath($WriteContentFile)
        }
        if ($PSBoundParameters.ContainsKey('NullServers') -or $PSBoundParameters.ContainsKey('NullServiceMs')) {
            $specification.Backend = 'Null'
            $specification.NullDevice = [IoBench.Engine.NullDeviceModel]::new($NullServers, $NullServiceMs, $NullServiceKind)
        }
        foreach ($part in $Distribution) {
            if ($part -notmatch '^\s*(?<io>\d{1,3})\s*/\s*(?<range>\d{1,3})\s*$') {
                $PSCmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.InvalidDistribution' -Kind Usage -Message "'$part' is not a part of a distribution. Write percent of the I/Os / percent of the range, for example 90/10, 10/90." -TargetObject $part))
            }
            $specification.Distribution.Add([IoBench.Engine.IoDistributionRange]::new([int]$Matches.io, [long]$Matches.range))
        }
        try {
            if ($Affinity -in 'Off', 'RoundRobin') {
                $specification.AffinityMode = $Affinity
            } elseif ($Affinity) {
                foreach ($processor in ConvertFrom-IoProcessorList -Text $Affinity) { $specification.Processors.Add($processor) }
                $specification.AffinityMode = 'RoundRobin'
            }
        } catch {
            $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $_ -TargetObject $Affinity))
        }
        if ($Path) {
            $specification.Targets.Clear()
            foreach ($file in Resolve-IoPath -Path $Path -AllowMissing -Cmdlet $PSCmdlet) {
                $specification.Targets.Add([IoBench.Engine.IoTargetSpecification]::new($file))
            }
        }
        foreach ($target in $specification.Targets) {
            if ($PSBoundParameters.ContainsKey('BaseOffset')) { $target.BaseOffset = $BaseOffset.Bytes }
            if ($PSBoundParameters.ContainsKey('MaxOffset')) { $target.MaxOffset = $MaxOffset.Bytes }
        }
        if ($specification.Targets.Count -eq 0 -and ($PSBoundParameters.ContainsKey('BaseOffset') -or $PSBoundParameters.ContainsKey('MaxOffset'))) {
            $PSCmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.NoPath' -Kind Usage -Message 'Offsets belong to a target. Give -Path too.'))
        }
        $specification
    }
}
