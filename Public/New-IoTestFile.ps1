function New-IoTestFile {
    [CmdletBinding(DefaultParameterSetName = 'Path', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [OutputType([System.IO.FileInfo])]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'Path', ValueFromPipeline, ValueFromPipelineByPropertyName)]
        [string[]] $Path,

        [Parameter(Mandatory, ParameterSetName = 'LiteralPath', ValueFromPipelineByPropertyName)]
        [Alias('PSPath', 'FullName')]
        [string[]] $LiteralPath,

        [Parameter(Position = 1, ValueFromPipelineByPropertyName)]
        [ArgumentCompletions('256MB', '1GB', '20GB', '100GB')]
        [IoBench.Engine.IoSize] $FileSize,

        [ulong] $Seed,

        [switch] $Force
    )

    begin {
        $preparation = $null
    }

    process {
        foreach ($item in Resolve-IoPath -Path $Path -LiteralPath $LiteralPath -AllowMissing -Cmdlet $PSCmdlet) {
            $specification = [IoBench.Engine.IoTestSpecification]::new()
            # A file for any test: one that will be written to is refused where a reading one would pass.
            $specification.WritePercent = 100
            if ($PSBoundParameters.ContainsKey('FileSize')) { $specification.FileSize = $FileSize.Bytes }
            $specification.Seed = $Seed
            $target = [IoBench.Engine.IoTargetSpecification]::new($item)
            $specification.Targets.Add($target)
            $options = [IoBench.Engine.TestRunOptions]::new()
            $options.Force = $Force
            $options.AllowSqlServerRead = $Force
            $checked = Test-IoTarget -Specification $specification -Target $target -Options $options -Cmdlet $PSCmdlet
            if ($null -eq $checked) {
                continue
            }
            $size = [IoBench.Engine.IoSize]::new($checked.Size).ToDisplayString()
            if (-not $PSCmdlet.ShouldProcess($checked.Path, "make a test file of $size")) {
                continue
            }
            try {
                $preparation = [IoBench.Loader.FilePreparation]::new($specification, $target, $options)
                $began = [System.Diagnostics.Stopwatch]::StartNew()
                while (-not $preparation.Wait([timespan]::FromMilliseconds(150))) {
                    Write-IoFileProgress -Path $checked.Path -Written $preparation.Written -Total $preparation.Total -Elapsed $began.Elapsed
                }
                $made = [IoBench.Loader.Attempt]::Target($preparation)
            } finally {
                if ($null -ne $preparation) { $preparation.Dispose() }
                $preparation = $null
                Write-Progress -Id 7350 -Activity 'IoBench: making a test file' -Completed
            }
            if ($made.Error) {
                $PSCmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $made.Error -TargetObject $item))
            } else {
                Get-Item -LiteralPath $made.Value.Path
            }
        }
    }

    clean {
        if ($null -ne $preparation) { $preparation.Dispose() }
    }
}
