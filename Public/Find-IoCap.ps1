function Find-IoCap {
    [CmdletBinding(DefaultParameterSetName = 'Path', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'Invoke-IoTest asks, with the file and what is done to it.')]
    [OutputType([IoBench.Analysis.CapResult])]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'Path')]
        [string[]] $Path,

        # Results that are there already, in place of new runs.
        [Parameter(Mandatory, ParameterSetName = 'InputObject', ValueFromPipeline)]
        [IoBench.Engine.IoTestResult[]] $InputObject,

        [Parameter(ParameterSetName = 'Path')]
        [IoBench.Engine.IoPathMode] $PathMode = 'Each',

        [Parameter(ParameterSetName = 'Path')]
        [ArgumentCompletions('1GB', '20GB', '100GB')]
        [IoBench.Engine.IoSize] $FileSize,

        [Parameter(ParameterSetName = 'Path')]
        [IoBench.Engine.IoDuration] $Duration,

        [Parameter(ParameterSetName = 'Path')]
        [IoBench.Engine.IoDuration] $WarmUp,

        [Parameter(ParameterSetName = 'Path')]
        [IoBench.Engine.IoSize[]] $BlockSize,

        # Total outstanding I/Os, ascending.
        [Parameter(ParameterSetName = 'Path')]
        [ValidateRange(1, 4096)]
        [int[]] $OutstandingIO,

        [Parameter(ParameterSetName = 'Path')]
        [IoBench.Engine.IoBackendKind] $Backend = 'Auto',

        # What was bought: @{ IOPS = 5000; Throughput = '200 MB/s' }.
        [Alias('StorageSpecification')]
        [object] $Specification,

        [Parameter(ParameterSetName = 'Path')]
        [switch] $RemoveTestFile,

        [Parameter(ParameterSetName = 'Path')]
        [switch] $Force
    )

    begin {
        $results = [System.Collections.Generic.List[IoBench.Engine.IoTestResult]]::new()
        $storage = $null
        if ($Specification) {
            $parsed = [IoBench.Loader.Attempt]::Storage($Specification)
            if ($parsed.Error) {
                $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $parsed.Error -TargetObject $Specification))
            }
            $storage = $parsed.Value
        }
    }

    process {
        foreach ($result in $InputObject) {
            if ($null -ne $result) { $results.Add($result) }
        }
    }

    end {
        if ($PSCmdlet.ParameterSetName -eq 'Path') {
            $places = [string[]]@(Resolve-IoPath -Path $Path -AllowMissing -Cmdlet $PSCmdlet)
            if ($places.Count -eq 0) {
                return
            }
            $template = [IoBench.Engine.IoTestSpecification]::new()
            $template.Backend = $Backend
            if ($PSBoundParameters.ContainsKey('FileSize')) { $template.FileSize = $FileSize.Bytes }
            $plan = [IoBench.Loader.Attempt]::PlanCap(
                $places,
                $PathMode,
                [IoBench.Analysis.CapPlanOptions]::new(
                    ($BlockSize ? [long[]]$BlockSize.Bytes : $null),
                    ($OutstandingIO ? $OutstandingIO : $null),
                    ($PSBoundParameters.ContainsKey('Duration') ? $Duration.TimeSpan : $null),
                    ($PSBoundParameters.ContainsKey('WarmUp') ? $WarmUp.TimeSpan : $null)),
                $template)
            if ($plan.Error) {
                $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $plan.Error -TargetObject $Path))
            }
            foreach ($result in $plan.Value | Invoke-IoTest -RemoveTestFile:$RemoveTestFile -Force:$Force) { $results.Add($result) }
            if ($results.Count -eq 0) {
                return
            }
        }
        $answer = [IoBench.Loader.Attempt]::Cap($results, $storage)
        if ($answer.Error) {
            $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $answer.Error))
        }
        foreach ($cap in $answer.Value) {
            foreach ($warning in $cap.Warnings) { $PSCmdlet.WriteWarning($warning) }
            $cap
        }
    }
}
